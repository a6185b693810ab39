/** A literal, or code in its place, in the text of a file. Offsets count UTF-16 units from the start of the file. */
export type LiteralNode = LiteralText | LiteralList | LiteralRecord | LiteralCode

interface LiteralPlace {
  file: string
  start: number
  end: number
}

export interface LiteralText extends LiteralPlace {
  kind: 'text'
  value: string
}

export interface LiteralList extends LiteralPlace {
  kind: 'list'
  items: LiteralNode[]
  /** Offsets of the dashes of a YAML block list; null for a list in brackets. */
  dashes: readonly number[] | null
  /** Whether each call of a function makes it anew, so that what is put in appears wherever the function is called. */
  isShared?: true
}

export interface LiteralRecord extends LiteralPlace {
  kind: 'record'
  isBlock: boolean
  fields: LiteralField[]
  /** Anything other than a field with a name, such as a spread or a computed key. */
  others?: readonly { start: number; end: number }[]
}

export interface LiteralField {
  key: string
  start: number
  end: number
  value: LiteralNode
}

/** Anything that is not a literal. */
export interface LiteralCode extends LiteralPlace {
  kind: 'code'
  /** Whether it spreads a list, as `...items` does. */
  isSpread: boolean
  /** The literal that it names, in this file or another; null if running the code alone could tell. */
  target: LiteralNode | null
  /** The name of the function that it calls. */
  callee?: string
  /** The outermost lists and records within it, in order. */
  inner?: readonly LiteralNode[]
}

/** A value to be written as a literal. */
export type LiteralValue = string | readonly LiteralValue[] | { readonly [key: string]: LiteralValue }

/** A replacement of a range of a file. */
export interface Splice {
  file: string
  start: number
  end: number
  text: string
}

/** The literal that a node is or names. */
export function resolveLiteral(node: LiteralNode | undefined): Exclude<LiteralNode, LiteralCode> | null {
  let found = node
  for (let hops = 0; found?.kind === 'code' && hops < 10; hops++) found = found.target ?? undefined
  return found === undefined || found.kind === 'code' ? null : found
}

export function fieldOf(node: LiteralNode | undefined, key: string): LiteralNode | undefined {
  const record = resolveLiteral(node)
  return record?.kind === 'record' ? record.fields.findLast((field) => field.key === key)?.value : undefined
}

export function textOf(node: LiteralNode | undefined): LiteralText | null {
  const text = resolveLiteral(node)
  return text?.kind === 'text' ? text : null
}

/** The items of a list, with those of the lists that it spreads; empty for anything else. */
export function itemsOf(node: LiteralNode | undefined): LiteralNode[] {
  const list = resolveLiteral(node)
  if (list?.kind !== 'list') return []
  return list.items.flatMap((item) => (item.kind === 'code' && item.isSpread ? itemsOf(item) : [item]))
}

/** Applies replacements of one file. @throws {RangeError} if they overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const sorted = splices.toSorted((one, other) => one.start - other.start || one.end - other.end)
  let result = ''
  let from = 0
  for (const { start, end, text: replacement } of sorted) {
    if (start < from) throw new RangeError('Two changes of the navigation overlap.')
    result += text.slice(from, start) + replacement
    from = end
  }
  return result + text.slice(from)
}
