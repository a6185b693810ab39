/** When something is to happen again and again: five fields of cron, read in a time zone. */
export interface CronSchedule {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string
  /** A name of the IANA database, such as `Europe/Vienna`. */
  timeZone: string
}

/**
 * The next time of a schedule after a moment.
 *
 * Where clocks go forward, a time of the day that there is not comes as soon as they have; where they go back, one that comes
 * twice counts once.
 *
 * @param after UTC milliseconds.
 * @returns UTC milliseconds; null for a schedule that never comes, such as the 30th of February.
 * @throws {Error} for what is no schedule or no time zone: see `findCronFault`.
 */
export async function findNextCronTime({ cron, timeZone }: CronSchedule, after: number): Promise<number | null> {
  // Loaded where there is a schedule: most installations have none.
  const { Cron } = await import('croner')
  const schedule = new Cron(cron, { timezone: timeZone, mode: '5-part' })
  return schedule.nextRun(new Date(after))?.getTime() ?? null
}

/** What is wrong with a schedule, as the end of a sentence; null when nothing is. @param now UTC milliseconds. */
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
