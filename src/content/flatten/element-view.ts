import type { LiteralValue } from '../markdown/literal-value.ts'

/** A component or HTML tag as component rules see it: attributes as text, children rendered on demand. */
export interface ElementView {
  name: string
  /** Whether it is part of a line of text. */
  isInline: boolean
  /** 1-based position among siblings of the same name. */
  ordinal: number
  /** Text of an attribute with a literal value; `''` if it has no value, null if it is absent or computed. */
  attribute(name: string): string | null
  /** The title that the parent element gives this child, as `<Tabs items={[…]}>` does; empty if none. */
  listedTitle: string
  /** The value of an attribute, if it is a literal. */
  literal(name: string): LiteralValue | undefined
  /** Whether a boolean attribute such as `required` is set. */
  isOn(name: string): boolean
  /** A root-relative link; null if absent or disallowed. */
  link(name: string): string | null
  /** The children as Markdown blocks, joined by blank lines or `separator`. */
  blocks(separator?: string): string
  /** The children as inline text. */
  inline(): string
}

/** Renders an element as Markdown. */
export type ComponentRule = (element: ElementView) => string
