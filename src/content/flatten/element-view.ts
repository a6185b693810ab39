import type { LiteralValue } from '../markdown/literal-value.ts'

/** A component or HTML tag as component rules see it: attributes as text, children rendered on demand. */
export interface ElementView {
  name: string
  /** Whether it is part of a line of text. */
  isInline: boolean
  /** 1-based position among siblings of the same name. */
  ordinal: number
  /** Text of an attribute, including one that contains markup; `''` if it has no value, null if it is absent or computed. */
  attribute(name: string): string | null
  /** The title that the parent's list, as in `<Tabs items={[…]}>`, has for a value or this place; empty if none. */
  listedTitle(value: string | null): string
  /** The value of an attribute, if it is a literal. */
  literal(name: string): LiteralValue | undefined
  /** Whether a boolean attribute such as `required` is set. */
  isOn(name: string): boolean
  /** A root-relative link; null if absent or disallowed. */
  link(name: string): string | null
  /** A link with a root-relative address, or only its text if the link is disallowed. */
  writeLink(url: string, text: string): string
  /** The alternative text of an image, marked with what it refers to. */
  writeImage(url: string | null, alternative: string | null): string
  /** The attributes that have not been asked for yet. */
  unread(): ElementProperty[]
  /** The children as Markdown blocks, joined by blank lines or `separator`. */
  blocks(separator?: string): string
  /** The children as inline text. */
  inline(): string
}

export interface ElementProperty {
  name: string
  /** Null for markup and what is computed. */
  value: LiteralValue
  /** Markup as blocks; else empty. */
  markdown: string
}

/** Renders an element as Markdown. */
export type ComponentRule = (element: ElementView) => string
