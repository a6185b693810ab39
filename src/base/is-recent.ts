/**
 * Whether something that happened at a time is less than `ms` ago. A time in the future counts as long ago: the clock was
 * set back since, and a stale value must not stay valid until the clock catches up.
 */
export function isRecent(at: number, ms: number, now: number): boolean {
  return at <= now && now - at < ms
}
