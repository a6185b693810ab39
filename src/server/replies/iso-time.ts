/** Formats UTC milliseconds as times in the contract: ISO 8601 with milliseconds and `Z`. */
export function toIsoTime(timeMs: number): string
export function toIsoTime(timeMs: number | null): string | null
export function toIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}
