/** Allowance for clock skew and delivery time. */
const toleranceMs = 5 * 60_000

/** Whether a signed request is recent. @param timestamp Whole seconds since 1970, as sent. */
export function isRecentTimestamp(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1_000) <= toleranceMs
}
