/** A recurring schedule: five cron fields in a time zone. */
export interface CronSchedule {
  /** Minute, hour, day of month, month, day of week. */
  cron: string
  /** IANA name, such as `Europe/Vienna`. */
  timeZone: string
}

/**
 * Returns the next run after a given moment.
 *
 * A local time skipped by a forward clock change runs right after the change; a local time repeated by a backward change runs once.
 *
 * @param after UTC milliseconds.
 * @returns UTC milliseconds; null if the schedule never fires, such as 30 February.
 * @throws {Error} for an invalid schedule or time zone: see `findCronFault`.
 */
export async function findNextCronTime({ cron, timeZone }: CronSchedule, after: number): Promise<number | null> {
  // Loaded on demand: most installations have no schedule.
  const { Cron } = await import('croner')
  const schedule = new Cron(cron, { timezone: timeZone, mode: '5-part' })
  return schedule.nextRun(new Date(after))?.getTime() ?? null
}

/** What is wrong with a schedule, phrased as the end of a sentence; null if it is valid. @param now UTC milliseconds. */
export async function findCronFault(schedule: CronSchedule, now: number): Promise<string | null> {
  if (!isTimeZone(schedule.timeZone)) return 'names no time zone that is known. Write it like Europe/Vienna, or UTC'
  try {
    return (await findNextCronTime(schedule, now)) === null ? 'never comes. Check the day and the month' : null
  } catch {
    return 'is no schedule. Write five fields, minute, hour, day, month and day of the week, such as "0 6 * * 1-5"'
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
