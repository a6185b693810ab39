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
  { born, path }: { born: readonly BornFact[]; path: string },
  { before, after }: { before: readonly string[]; after: ReadonlySet<string> },
): Successor | null {
  const same = born.filter((fact) => isSameKind(fact, lost))
  // If a change touches many files, candidates in the same file come first.
  const candidates = [...same.filter((fact) => fact.path === path), ...same.filter((fact) => fact.path !== path)].slice(
    0,
    bornMax,
  )
  const uses = before.filter((line) => includesName(line, lost.name)).slice(0, linesMax)
  const renamed = candidates.filter(
    ({ name }) => uses.length > 0 && uses.every((line) => after.has(swapName(line, lost.name, name))),
  )
  const similar = (fact: Fact) => measureSimilarity(lost, fact)
  const [best] = renamed.toSorted((one, other) => similar(other) - similar(one))
  const isOnly = renamed.every(({ name }) => name === best?.name)
  if (best !== undefined && (isOnly || similar(best) >= similarityMin)) {
    // Two lines that say little are enough for names that have a word in common.
    const likenessMin = uses.length > 1 ? sharedWordMin : similarityMin
    const isSure = similar(best) >= likenessMin || measureContext(uses, lost.name) >= contextCharsMin
    if (isSure || similar(best) > 0) return { fact: best, isRenamed: isSure }
  }
  const [nearest] = candidates.toSorted((one, other) => similar(other) - similar(one))
  return nearest !== undefined && similar(nearest) >= similarityMin ? { fact: nearest, isRenamed: false } : null
}

/** Words that say little about a name beside them: `name?: boolean` is a line of many. */
const plainWords =
  /\b(?:any|async|bool|boolean|class|const|declare|def|default|export|false|float|fn|func|function|int|interface|let|none|null|number|object|optional|pub|public|readonly|return|self|static|str|string|struct|this|true|type|undefined|unknown|var|void)\b|[^A-Za-z]/gi

/** How many letters tell the lines of a name from those of others. */
function measureContext(uses: readonly string[], name: string): number {
  return uses.reduce((sum, line) => sum + swapName(line, name, '').replaceAll(plainWords, '').length, 0)
}

const nameForms: ReadonlySet<string> = new Set(['exported', 'member'])

function isSameKind(born: Fact, lost: Fact): boolean {
  if (born.form !== lost.form && !(nameForms.has(born.form) && nameForms.has(lost.form))) return false
  return lost.form !== 'parameter' && lost.form !== 'field' ? true : born.owner === lost.owner
}

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

/** Levenshtein distance. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, char] of one.split('').entries()) {
    const next = [index + 1]
    for (const [at, target] of other.split('').entries()) {
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (char === target ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
