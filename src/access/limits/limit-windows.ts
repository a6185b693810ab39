import { dayMs, hourMs, minuteMs } from '../../base/durations.ts'

/** Fixed windows of the UTC calendar, because that is what people expect of "a month" or "a day". */
export type LimitWindow = 'minute' | 'hour' | 'day' | 'month'

export interface WindowBounds {
  /** UTC milliseconds; `endsAt` is exclusive. */
  startsAt: number
  endsAt: number
}

/** The window that contains a moment. */
export function windowBounds(window: LimitWindow, nowMs: number): WindowBounds {
  if (window === 'month') {
    const now = new Date(nowMs)
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
    return { startsAt: Date.UTC(year, month, 1), endsAt: Date.UTC(year, month + 1, 1) }
  }
  const length = { minute: minuteMs, hour: hourMs, day: dayMs }[window]
  const startsAt = Math.floor(nowMs / length) * length
  return { startsAt, endsAt: startsAt + length }
}

/** Nominal window lengths in seconds, for `RateLimit-Policy`: a month counts as 30 days. */
export const windowSeconds: Readonly<Record<LimitWindow, number>> = {
  minute: minuteMs / 1_000,
  hour: hourMs / 1_000,
  day: dayMs / 1_000,
  month: (30 * dayMs) / 1_000,
}
