import { hourMs } from '../../../ui/durations.ts'
import type { serviceOperations } from '../../../../src/contract/operations/service.ts'
import type { ItemOf } from '../../api/call.ts'

export type ErrorCount = ItemOf<typeof serviceOperations.listErrorCounts>

export interface ErrorTotal {
  code: ErrorCount['code']
  count: number
  /** Start of the latest hour with this error; ISO 8601. */
  lastHour: string
}

/** Totals by code, most frequent first, then by name. */
export function sumByCode(counts: readonly ErrorCount[]): ErrorTotal[] {
  const totals = new Map<string, ErrorTotal>()
  for (const { code, count, hour } of counts) {
    const known = totals.get(code) ?? { code, count: 0, lastHour: hour }
    const lastHour = hour > known.lastHour ? hour : known.lastHour
    totals.set(code, { code, count: known.count + count, lastHour })
  }
  return [...totals.values()].toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1))
}

export interface ErrorBar {
  /** UTC milliseconds. */
  startsAt: number
  count: number
}

/**
 * Bars for the last hours, including those without errors.
 *
 * @param hours Number of hours, including the current one.
 * @param hoursOfBar Hours per bar. Divides a day, so that each day starts with a bar.
 */
export function sumByTime(
  counts: readonly ErrorCount[],
  { hours, hoursOfBar, now }: { hours: number; hoursOfBar: number; now: number },
): ErrorBar[] {
  const width = hoursOfBar * hourMs
  const startOf = (time: number) => Math.floor(time / width) * width
  const first = startOf(Math.floor(now / hourMs) * hourMs - (hours - 1) * hourMs)
  const bars: ErrorBar[] = []
  for (let at = first; at <= now; at += width) bars.push({ startsAt: at, count: 0 })
  for (const { hour, count } of counts) {
    const bar = bars[(startOf(Date.parse(hour)) - first) / width]
    if (bar !== undefined) bar.count += count
  }
  return bars
}
