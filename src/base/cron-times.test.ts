import { describe, expect, it } from 'vitest'
import { findCronFault, findNextCronTime } from './cron-times.ts'

/** The next times, as ISO 8601, after a moment. */
async function listTimes(schedule: { cron: string; timeZone: string }, after: string, count: number) {
  const times: string[] = []
  let last = Date.parse(after)
  for (let index = 0; index < count; index++) {
    const next = await findNextCronTime(schedule, last)
    if (next === null) break
    times.push(new Date(next).toISOString())
    last = next
  }
  return times
}

describe('a schedule in a time zone', () => {
  const timeZone = 'Europe/Vienna'

  it('keeps its time of the day when clocks change', async () => {
    const times = await listTimes({ cron: '0 6 * * *', timeZone }, '2026-03-28T00:00:00Z', 3)

    expect(times).toEqual(['2026-03-28T05:00:00.000Z', '2026-03-29T04:00:00.000Z', '2026-03-30T04:00:00.000Z'])
  })

  it('comes once on the day on which its time is left out', async () => {
    const times = await listTimes({ cron: '30 2 * * *', timeZone }, '2026-03-28T12:00:00Z', 2)

    // 02:30 is not there on the 29th: clocks go from 02:00 to 03:00.
    expect(times).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'])
  })

  it('comes once on the day on which its time comes twice', async () => {
    const times = await listTimes({ cron: '30 2 * * *', timeZone }, '2026-10-24T12:00:00Z', 2)

    expect(times).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  })

  it('comes next after now, however long nobody has looked', async () => {
    const [next] = await listTimes({ cron: '*/5 * * * *', timeZone: 'UTC' }, '2026-05-01T10:02:30Z', 1)

    expect(next).toBe('2026-05-01T10:05:00.000Z')
  })
})

describe('what is no schedule', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  it.each([
    ['0 6 30 2 *', 'UTC', 'never comes'],
    ['* * * * * *', 'UTC', 'five fields'],
    ['61 * * * *', 'UTC', 'five fields'],
    ['often', 'UTC', 'five fields'],
    ['0 6 * * *', 'Vienna', 'time zone'],
  ])('is refused with the reason: %s %s', async (cron, timeZone, reason) => {
    expect(await findCronFault({ cron, timeZone }, now)).toContain(reason)
  })

  it('is told from one', async () => {
    expect(await findCronFault({ cron: '0 6 * * 1-5', timeZone: 'America/New_York' }, now)).toBeNull()
  })
})
