/** How often numbers are read that no event announces. */
export const refreshMs = 10_000
