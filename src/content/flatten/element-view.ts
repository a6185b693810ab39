import type { LiteralValue } from '../markdown/literal-value.ts'

/** A component or HTML tag of a page as a rule sees it: its attributes as text and its children rendered on demand. */
export interface ElementView {
  name: string
  /** Whether it stands in a line of text. */
  isInline: boolean
  /** Its number among the siblings of the same name, from 1. */
  ordinal: number
  /** The text of an attribute with a literal value; `''` for one without a value, null for an absent or computed one. */
  attribute(name: string): string | null
  /** The title that the element around it has for this child, as `<Tabs items={[…]}>` does; empty where it has none. */
  listedTitle: string
  /** An attribute as it was written, where it is a literal. */
  literal(name: string): LiteralValue | undefined
  /** Whether a switch such as `required` is on. */
  isOn(name: string): boolean
  /** An address made root-relative; null when absent or not allowed. */
  link(name: string): string | null
  /** The children as Markdown blocks, joined by blank lines or by `separator`. */
  blocks(separator?: string): string
  /** The children as one run of text. */
  inline(): string
}

/** Turns an element into Markdown. */
export type ComponentRule = (element: ElementView) => string
