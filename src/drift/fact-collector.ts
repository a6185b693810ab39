import { type Fact, type FactForm, nameCharsMax } from './fact.ts'
import { nameKey, normalizeValue } from './name-key.ts'

const factsMax = 5_000

interface FactDetails {
  key?: string
  owner?: string
  value?: string
  isPublic?: boolean
}

/** Collects the facts of a file, each once. */
export class FactCollector {
  readonly #facts = new Map<string, Fact>()

  get facts(): Fact[] {
    return [...this.#facts.values()]
  }

  add(form: FactForm, name: string, line: number, details: FactDetails = {}): void {
    const { key = nameKey(name), owner = '', value = '', isPublic = true } = details
    if (name.length < 2 || name.length > nameCharsMax * (form === 'file' ? 4 : 1) || this.#facts.size >= factsMax)
      return
    const id = `${form}\n${key}\n${owner}\n${value}`
    const known = this.#facts.get(id)
    if (known === undefined) this.#facts.set(id, { form, key, name, owner, value, line, isPublic })
    else if (form === 'endpoint') known.isPublic ||= isPublic
  }

  /** Adds a default value, unless it is computed. */
  addDefault(name: string, written: string, line: number): void {
    const value = normalizeValue(written)
    if (value !== null) this.add('default', name, line, { value })
  }
}
