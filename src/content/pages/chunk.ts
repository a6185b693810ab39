/** The unit of ranking and quoting: a section under a heading, or a piece of a long section. */
export interface Chunk {
  /** `SitePage.path` of its page. */
  pagePath: string
  /** 0-based position within the page. */
  ordinal: number
  /** The id of its heading, without `#`; null above the first heading. */
  anchor: string | null
  /** Headings from the page's top level down to its own, without the page's title. */
  headings: string[]
  /** Markdown; of fenced code blocks, only long lists of explained settings are split. */
  text: string
  /** The consecutive blocks of the page (see `splitBlocks`) that its blocks are, or are parts of; absent without any. */
  blocks?: { first: number; count: number }
}
