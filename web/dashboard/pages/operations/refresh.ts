/** Polling interval for numbers that no event announces. */
export const refreshMs = 10_000
