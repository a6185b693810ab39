/**
 * Whether something that happened at a time is less than `ms` ago. A time that lies ahead counts as long ago: the clock
 * has been set back since, and what was learnt then must not be believed until it is reached again.
 */
export function isRecent(at: number, ms: number, now: number): boolean {
  return at <= now && now - at < ms
}
