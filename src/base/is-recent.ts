/**
 * Whether something happened less than `ms` ago. A time in the future is not recent: the clock was set back, and a stale
 * value must not stay valid until it catches up.
 */
export function isRecent(at: number, ms: number, now: number): boolean {
  return at <= now && now - at < ms
}
