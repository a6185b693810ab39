export interface TermNumbers {
  /** @returns The term's number, a new one on first use. */
  number(term: string): number
}

/** Numbers terms in order of first use while an index is built. */
export class TermDictionary implements TermNumbers {
  readonly terms: string[] = []
  private readonly ids = new Map<string, number>()

  /** @returns The term's number, or null if it was never used. */
  find(term: string): number | null {
    return this.ids.get(term) ?? null
  }

  number(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    const id = this.terms.length
    this.ids.set(term, id)
    this.terms.push(term)
    return id
  }
}
