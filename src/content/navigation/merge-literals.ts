import { readLiteralFrame } from './literal-frame.ts'
import { applySplices, type LiteralCode, type LiteralNode, type Splice } from './literal-node.ts'
import { indentAt } from './literal-style.ts'
import { elementsOf, insertElement, isBlock, lineStart, removeElement } from './splice-literals.ts'

/** A file that two sides have changed. */
export interface ThreeVersions {
  path: string
  base: string
  ours: string
  theirs: string
}

/** A node in the text that it was read from. */
interface Placed {
  text: string
  node: LiteralNode
}

/** An item or field, or a literal within code. */
interface Part {
  /** The same for what is the same element in all versions. */
  key: string
  /** Start of the item, including its dash or key. */
  start: number
  end: number
  placed: Placed
}

/** What the merged file has in a place: the text of one side, or these parts in this order. */
type Wanted = { as: Placed } | { parts: WantedPart[] }
type WantedPart = Part & { value: Wanted }

/** Both sides have changed the same thing. */
class ContradictionError extends Error {}

const charsMax = 512 * 1024
/** Each change is made to a file that is read anew. */
const changesMax = 200

/**
 * Merges two versions of a file of lists and records by its structure rather than by its lines, so that two entries
 * that were added in one place both survive. JSON, YAML, and literals in JavaScript and TypeScript; formatting and
 * comments stay as they are in `ours`.
 *
 * @returns Null if both sides changed the same value, one changed what the other removed, or code around the literals
 *   changed on both sides.
 */
export function mergeLiterals({ path, base, ours, theirs }: ThreeVersions): string | null {
  if (Math.max(base.length, ours.length, theirs.length) > charsMax) return null
  const [before, one, other] = [base, ours, theirs].map((text) => place(path, text))
  if (!before || !one || !other) return null
  const isFrameKept = frameOf(other) === frameOf(before)
  try {
    return isFrameKept ? change(ours, merge(before, one, other)) : change(theirs, merge(before, other, one))
  } catch (error) {
    if (error instanceof ContradictionError || error instanceof RangeError) return null
    throw error
  }

  function change(from: string, wanted: Wanted): string | null {
    let text = from
    for (let count = 0; count < changesMax; count++) {
      const now = place(path, text)
      const splices = now && findChange(now, wanted)
      if (now === null) return null
      if (splices === null) return text
      text = applySplices(text, splices)
    }
    return null
  }
}

function place(path: string, text: string): { text: string; node: LiteralCode } | null {
  const node = readLiteralFrame(path, text)
  return node && { text, node }
}

function rawOf({ text, node }: Placed): string {
  return text.slice(node.start, node.end)
}

/** Code without the literals within it. */
function frameOf({ text, node }: Placed): string {
  let from = node.start
  const pieces = (node.kind === 'code' ? (node.inner ?? []) : []).map(({ start, end }) => {
    const piece = text.slice(from, start)
    from = end
    return piece
  })
  return JSON.stringify([...pieces, text.slice(from, node.end)].map((piece) => piece.trim()))
}

/** What a value is, however it is written. */
function meaningOf(placed: Placed): string {
  const { node, text } = placed
  if (node.kind === 'text') return JSON.stringify(node.value)
  const parts = partsOf(placed).map((part) => (node.kind === 'record' ? `${part.key}:` : '') + meaningOf(part.placed))
  if (node.kind === 'code') return `${frameOf(placed)}(${parts.join()})`
  const others = node.kind === 'record' ? (node.others ?? []).map(({ start, end }) => text.slice(start, end)) : []
  return `${node.kind}[${[...parts, ...others].join()}]`
}

function partsOf({ text, node }: Placed): Part[] {
  if (node.kind === 'text') return []
  const nodes =
    node.kind === 'list'
      ? node.items
      : node.kind === 'record'
        ? node.fields.map(({ value }) => value)
        : (node.inner ?? [])
  const places = node.kind === 'code' ? nodes : elementsOf(node)
  const counts = new Map<string, number>()
  return nodes.map((value, index) => {
    const placed = { text, node: value }
    const name = node.kind === 'record' ? (node.fields[index]?.key ?? '') : node.kind === 'code' ? '' : nameOf(placed)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { key: `${name}#${count}`, start: value.start, end: value.end, ...pick(places[index]), placed }
  })
}

function pick(range: { start: number; end: number } | undefined) {
  return range && { start: range.start, end: range.end }
}

/** Fields that say which group, page or redirect an item is, the first that it has. */
const namingFields =
  'group tab anchor dropdown product menu version language locale label text title name id slug source from key page link'

/** What identifies an item in a list. */
function nameOf(placed: Placed): string {
  const { node } = placed
  if (node.kind === 'code') return frameOf(placed)
  if (node.kind !== 'record') return meaningOf(placed)
  const [first] = node.fields
  // An entry of MkDocs is a record of one field, whose key is its title.
  if (node.fields.length === 1 && first !== undefined && !namingFields.split(' ').includes(first.key)) return first.key
  for (const field of namingFields.split(' ')) {
    const value = node.fields.find(({ key }) => key === field)?.value
    if (value?.kind === 'text') return `${field}=${value.value}`
  }
  return meaningOf(placed)
}

function merge(base: Placed | null, ours: Placed, theirs: Placed): Wanted {
  const [before, one, other] = [base && meaningOf(base), meaningOf(ours), meaningOf(theirs)]
  if (one === other || other === before) return { as: ours }
  if (base !== null && rawOf(ours) === rawOf(base)) return { as: theirs }
  if (!canMergeParts(base, ours, theirs)) {
    if (one === before) return { as: theirs }
    throw new ContradictionError()
  }
  return { parts: mergeParts(base === null ? [] : partsOf(base), partsOf(ours), partsOf(theirs)) }
}

function canMergeParts(base: Placed | null, ours: Placed, theirs: Placed): boolean {
  const versions = [base ?? ours, ours, theirs]
  const { kind } = ours.node
  if (kind === 'text' || versions.some(({ node }) => node.kind !== kind)) return false
  const shapes = versions.map((placed) => (kind === 'code' ? frameOf(placed) : describeOthers(placed)))
  return kind === 'code'
    ? shapes[0] === shapes[2] && countInner(ours) === countInner(theirs)
    : new Set(shapes).size === 1
}

const countInner = ({ node }: Placed) => (node.kind === 'code' ? (node.inner ?? []).length : 0)

function describeOthers({ text, node }: Placed): string {
  const others = node.kind === 'record' ? (node.others ?? []) : []
  return JSON.stringify(others.map(({ start, end }) => text.slice(start, end)))
}

const isSame = (one: Part | undefined, other: Part | undefined) =>
  one !== undefined && other !== undefined && meaningOf(one.placed) === meaningOf(other.placed)

/** The parts in the order of the side that has moved some, or else of `ours`. */
function mergeParts(base: readonly Part[], ours: readonly Part[], theirs: readonly Part[]): WantedPart[] {
  const isOrderKept = (side: readonly Part[]) => {
    const [before, after] = [keysIn(base, side), keysIn(side, base)]
    return before.every((key, index) => key === after[index])
  }
  if (!isOrderKept(theirs) && !isOrderKept(ours)) throw new ContradictionError()
  const [host, guest] = isOrderKept(theirs) ? [ours, theirs] : [theirs, ours]
  const [before, others] = [byKey(base), byKey(guest)]
  const merged = host.flatMap((part): WantedPart[] => {
    const [old, other] = [before.get(part.key), others.get(part.key)]
    if (other !== undefined) return [{ ...part, value: merge(old?.placed ?? null, part.placed, other.placed) }]
    if (old === undefined) return [{ ...part, value: { as: part.placed } }]
    if (isSame(old, part)) return []
    throw new ContradictionError()
  })
  insertAdded(merged, { guest, host: byKey(host), before })
  return merged
}

const byKey = (parts: readonly Part[]) => new Map(parts.map((part) => [part.key, part]))

function keysIn(parts: readonly Part[], others: readonly Part[]): string[] {
  const known = byKey(others)
  return parts.flatMap(({ key }) => (known.has(key) ? [key] : []))
}

type PartsByKey = ReadonlyMap<string, Part>

/** Puts what the guest has added behind the part that it follows there, and behind what the host has added. */
function insertAdded(
  merged: WantedPart[],
  { guest, host, before }: { guest: readonly Part[]; host: PartsByKey; before: PartsByKey },
): void {
  const added = new Set<string>()
  let at = 0
  for (const part of guest) {
    const [found, old] = [merged.findIndex(({ key }) => key === part.key), before.get(part.key)]
    if (found !== -1) at = found + 1
    else if (old !== undefined && !isSame(old, part)) throw new ContradictionError()
    if (found !== -1 || old !== undefined) continue
    const isOfHost = ({ key }: WantedPart) => host.has(key) && !before.has(key) && !added.has(key)
    while (merged[at] !== undefined && isOfHost(merged[at] as WantedPart)) at++ // Checked just before.
    merged.splice(at, 0, { ...part, value: { as: part.placed } })
    added.add(part.key)
    at++
  }
}

/** The next change that brings a node nearer to what is wanted; null if it is that. */
function findChange(now: Placed, wanted: Wanted): Splice[] | null {
  const { text, node } = now
  if ('as' in wanted) {
    if (meaningOf(now) === meaningOf(wanted.as)) return null
    const [first = '', ...rest] = dedent(wanted.as, wanted.as.node)
    const written = [first, ...rest].join(`\n${indentAt(text, node.start)}`)
    return [{ file: node.file, start: node.start, end: node.end, text: written }]
  }
  const parts = partsOf(now)
  for (const [index, part] of wanted.parts.entries()) {
    const current = parts[index]
    if (current?.key === part.key) {
      const change = findChange(current.placed, part.value)
      if (change !== null) return change
    } else return moveParts(now, parts, { wanted: wanted.parts, index })
  }
  const { length } = wanted.parts
  return parts.length === length || node.kind === 'code' || node.kind === 'text'
    ? null
    : removeElement(text, node, length)
}

/** Takes away what is not wanted at an index, or else inserts what is. */
function moveParts(
  { text, node }: Placed,
  parts: readonly Part[],
  { wanted, index }: { wanted: readonly WantedPart[]; index: number },
): Splice[] {
  const part = wanted[index]
  if (part === undefined || node.kind === 'code' || node.kind === 'text') throw new ContradictionError()
  const later = parts.findIndex(({ key }) => key === part.key)
  const current = parts[index]
  const isUnwanted = current !== undefined && wanted.every(({ key }) => key !== current.key)
  if (isUnwanted || later !== -1) return removeElement(text, node, isUnwanted ? index : later)
  return insertElement(text, node, index, { lines: dedent(part.placed, part, isBlock(node)) })
}

/** The lines of a range, those after the first relative to the line or column that it begins at. */
function dedent({ text }: Placed, { start, end }: { start: number; end: number }, isByColumn = false): string[] {
  const indent = isByColumn ? ' '.repeat(start - lineStart(text, start)) : indentAt(text, start)
  return text
    .slice(start, end)
    .split(/\r?\n/)
    .map((line, index) => (index > 0 && line.startsWith(indent) ? line.slice(indent.length) : line))
}
