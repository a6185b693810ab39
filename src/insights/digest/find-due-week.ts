import { dayMs, hourMs, weekMs } from '../../base/durations.ts'

/** The first day of 1970 was a Thursday. */
const firstMondayMs = 4 * dayMs
/** Mornings in Europe and evenings in America. */
const sentAfterMs = 6 * hourMs

/** @returns When the last week began whose digest is due: Monday, 00:00 UTC. */
export function findDueWeek(now: number): number {
  const elapsed = now - sentAfterMs - firstMondayMs
  return firstMondayMs + Math.floor(elapsed / weekMs) * weekMs - weekMs
}
