/** The part of a hast node that is read here. */
export interface MarkdownNode {
  type: string
  tagName?: string
  value?: string
  properties?: Readonly<Record<string, unknown>>
  children?: MarkdownNode[] | undefined
  /** Where it is in the Markdown, in UTF-16 code units. Absent on nodes that have no text of their own there. */
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
  data?: object | undefined
}
