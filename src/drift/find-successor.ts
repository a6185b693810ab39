import type { Fact } from './fact.ts'

/** A fact of the new state that the old one lacks. */
export interface BornFact extends Fact {
  path: string
}

export interface Successor {
  fact: BornFact
  /** Every line with the old name became one with the new name. */
  isRenamed: boolean
}

const similarityMin = 0.6
const sharedWordMin = 0.4
const contextCharsMin = 8
const bornMax = 100
const linesMax = 200

/**
 * The name that replaced a lost one: by lines that differ only in the name, else by similarity. Pure.
 *
 * @param path Of the file that defined the name.
 * @param before Lines of the file that defined the name.
 * @param after Lines of all changed files.
 */
export function findSuccessor(
  lost: Fact,
  { born, path }: { born: BornFacts; path: string },
  { before, after }: { before: NamedLines; after: ReadonlySet<string> },
): Successor | null {
  const { all, byPath } = born.get(kindOf(lost)) ?? { all: [], byPath: new Map<string, BornFact[]>() }
  // If a change touches many files, candidates in the same file come first.
  const near = byPath.get(path)?.slice(0, bornMax) ?? []
  const far = all.slice(0, 2 * bornMax).filter((fact) => fact.path !== path)
  const whole = before.find(lost.name, linesMax)
  // Libraries of flags take their names without hyphens.
  const toWritten = (name: string) => (whole.length === 0 && lost.form === 'flag' ? name.replace(/^--/, '') : name)
  const uses = whole.length === 0 ? before.find(toWritten(lost.name), linesMax) : whole
  const candidates = [...near, ...far].slice(0, bornMax).map((fact) => ({
    fact,
    likeness: measureSimilarity(lost, fact),
    isSwapped:
      uses.length > 0 && uses.every((line) => after.has(swapName(line, toWritten(lost.name), toWritten(fact.name)))),
  }))
  candidates.sort((one, other) => other.likeness - one.likeness)
  const renamed = candidates.filter(({ isSwapped }) => isSwapped)
  const [best] = renamed
  const isOnly = renamed.every(({ fact: { name } }) => name === best?.fact.name)
  if (best !== undefined && (isOnly || best.likeness >= similarityMin)) {
    // Two lines that say little are enough for names that have a word in common.
    const likenessMin = uses.length > 1 ? sharedWordMin : similarityMin
    const isSure = best.likeness >= likenessMin || measureContext(uses, toWritten(lost.name)) >= contextCharsMin
    if (isSure || best.likeness > 0) return { fact: best.fact, isRenamed: isSure }
  }
  const [nearest] = candidates
  return nearest !== undefined && nearest.likeness >= similarityMin ? { fact: nearest.fact, isRenamed: false } : null
}

/** Facts that a change brought, by what they may replace. */
export type BornFacts = ReadonlyMap<string, { all: BornFact[]; byPath: Map<string, BornFact[]> }>

export function indexBornFacts(facts: readonly BornFact[]): BornFacts {
  const kinds = [...Map.groupBy(facts, kindOf)]
  return new Map(kinds.map(([kind, all]) => [kind, { all, byPath: Map.groupBy(all, ({ path }) => path) }]))
}

/** Equal for facts of which one may replace the other. */
export function kindOf({ form, key, owner }: Fact): string {
  if (nameForms.has(form)) return 'name'
  if (form === 'default') return `default ${key}`
  return form === 'parameter' || form === 'field' ? `${form} ${owner}` : form
}

/** Lines by the names in them, because a file may lose thousands of names. */
export class NamedLines {
  readonly #lines: readonly string[]
  readonly #byName = new Map<string, string[]>()

  constructor(lines: Iterable<string>) {
    this.#lines = [...lines]
    for (const line of this.#lines) {
      for (const name of new Set(line.match(/[\w$-]+/g))) {
        const known = this.#byName.get(name)
        if (known === undefined) this.#byName.set(name, [line])
        else known.push(line)
      }
    }
  }

  find(name: string, limit: number): string[] {
    const lines = /^[\w$-]+$/.test(name)
      ? this.#byName.get(name)
      : this.#lines.filter((line) => includesName(line, name))
    return lines?.slice(0, limit) ?? []
  }
}

/** Words that say little about a name beside them: `name?: boolean` is a line of many. */
const plainWords =
  /\b(?:any|async|bool|boolean|class|const|declare|def|default|export|false|float|fn|func|function|int|interface|let|none|null|number|object|optional|pub|public|readonly|return|self|static|str|string|struct|this|true|type|undefined|unknown|var|void)\b|[^A-Za-z]/gi

/** How many letters tell the lines of a name from those of others. */
function measureContext(uses: readonly string[], name: string): number {
  return uses.reduce((sum, line) => sum + swapName(line, name, '').replaceAll(plainWords, '').length, 0)
}

const nameForms: ReadonlySet<string> = new Set(['exported', 'member'])

function includesName(line: string, name: string): boolean {
  return swapName(line, name, '\0').includes('\0')
}

/** Replaces a name, but not within a longer one. */
export function swapName(line: string, from: string, to: string): string {
  let swapped = ''
  let start = 0
  for (let at = line.indexOf(from); at !== -1; at = line.indexOf(from, at + from.length)) {
    if (/[\w$-]/.test(line[at - 1] ?? '') || /[\w$-]/.test(line[at + from.length] ?? '')) continue
    swapped += line.slice(start, at) + to
    start = at + from.length
  }
  return swapped + line.slice(start)
}

const charsMax = 60

/** From 0 to 1.15: the better of shared words and edit distance, and more for the same form. */
function measureSimilarity(one: Fact, other: Fact): number {
  const [a, b] = [one.key.slice(0, charsMax), other.key.slice(0, charsMax)]
  const [left, right] = [new Set(a.split(/[_/]/)), new Set(b.split(/[_/]/))]
  const shared = [...left].filter((word) => right.has(word)).length / Math.max(left.size, right.size)
  const near = canBeNear(a, b) ? 1 - countEdits(a, b) / Math.max(a.length, b.length) : 0
  return Math.max(shared, near) + (one.form === other.form ? 0.05 : 0)
}

/** Cheap, because most pairs of names have nothing in common. */
function canBeNear(one: string, other: string): boolean {
  const isLong = Math.min(one.length, other.length) >= similarityMin * Math.max(one.length, other.length)
  return isLong && (one[0] === other[0] || one.at(-1) === other.at(-1))
}

/** Levenshtein distance of names of at most `charsMax` characters. */
function countEdits(one: string, other: string): number {
  let row = Uint8Array.from({ length: other.length + 1 }, (_, index) => index)
  let next = new Uint8Array(row.length)
  for (let index = 0; index < one.length; index++) {
    next[0] = index + 1
    for (let at = 0; at < other.length; at++) {
      const swapped = (row[at] ?? 0) + Number(one.charCodeAt(index) !== other.charCodeAt(at))
      next[at + 1] = Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, swapped)
    }
    ;[row, next] = [next, row]
  }
  return row.at(-1) ?? 0
}
