/** What a flood came to. */
export interface FloodOutcome {
  /** Numbers for the reader of the report, by what they are. */
  figures: Record<string, unknown>
  /** A sentence for every bound that was passed. */
  faults: string[]
}

export interface FloodOptions {
  /** The working tree whose server is flooded; this one without it. */
  checkout?: string | undefined
}

/** @returns A fault where the figure is over its bound. */
export function checkBound(what: string, figure: number, bound: number): string[] {
  // Negated, so that what is no number is a fault as well.
  return !(figure <= bound) ? [`${what}: ${figure}, at most ${bound}`] : []
}

export function checkServed(who: string, statuses: readonly number[]): string[] {
  return statuses.every((status) => status === 200) ? [] : [`${who} got ${statuses.join(', ')}`]
}
