/** A part of a page that is ranked and quoted as one: a section under a heading, or a piece of a long one. */
export interface Chunk {
  /** `SitePage.path` of its page. */
  pagePath: string
  /** Position within the page, from 0. */
  ordinal: number
  /** The id of the heading it stands under, without `#`; null above the first heading. */
  anchor: string | null
  /** Headings from the page's first level down to its own, without the page's title. */
  headings: string[]
  /** Markdown; a fenced code block is never split. */
  text: string
}
