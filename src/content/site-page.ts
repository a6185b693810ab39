import type { SiteRule } from './finding-rules.ts'
import type { SiteCheck } from '../contract/site-check.ts'
import type { Redirect } from './links/redirect.ts'

/** A page as readers see it, flattened to plain Markdown. */
export interface SitePage {
  /**
   * Root-relative, without extension or trailing slash: `/guides/install`, `/` for the root. Unique per version and
   * language.
   */
  path: string
  /** Source file, relative to the tree. */
  file: string
  /** Its text, where `file` is a file of the tree that the page was written in; absent for pages made from others. */
  source?: PageSourceText
  title: string
  /** Empty if the page has none. */
  description: string
  /**
   * Readable Markdown: no frontmatter, no JSX, no comments; components keep their titles. Headings whose id is not
   * GitHub's slug of their text end with `{#id}`: see `anchorOf`.
   */
  markdown: string
  /** In the order of the text; absent if there are none. */
  images?: readonly PageImage[]
  /** Titles of the navigation containers around the page, outermost first. */
  section: string[]
  /** 0-based position in the navigation; pages outside it come last. */
  order: number
  version: string | null
  language: string | null
  tag: string | null
  keywords: string[]
  /** The reader must be in at least one of these groups. Empty: anyone. */
  groups: string[]
  /** False on a site that requires sign-in, unless the page is marked public. A page with groups is never public. */
  isPublic: boolean
  /** Whether the assistant and search may use it. Pages that nobody may see are not in the site at all. */
  isSearchable: boolean
  /** Whether `llms.txt` lists it. */
  isListed: boolean
  /** The API description whose operation or schema the page shows. */
  apiFile?: string
  /** Multiplies the score of its chunks; 1 by default. */
  boost: number
}

/** An image of a page. Its alternative text is part of the Markdown. */
export interface PageImage {
  /** Where its alternative text begins in the Markdown, in UTF-16 code units. */
  offset: number
  /** Length of its alternative text; 0 if it has none. */
  length: number
  /** Whether it is a paragraph of its own, of which the Markdown has nothing. */
  isAlone: boolean
  /** Its path in the tree. */
  file: string
}

/** The file of a page. */
export interface PageSourceText {
  /** The whole file as it is stored. */
  text: string
  /** Lines before the body. */
  bodyLine: number
}

/** A fault in a site's source, reported to its owner. */
export interface Finding {
  file: string
  /** 1-based, or null if the fault has no line. */
  line: number | null
  /** Kebab-case, stable: `page-unparsable`, `navigation-page-missing`. */
  rule: SiteRule
  /** Full sentences that say what is wrong and how to fix it. */
  message: string
}

/** Everything read from one source tree. */
export interface SiteContent {
  /** Name of its `SiteFormat`. */
  format: string
  /** The site's own name, or empty. */
  name: string
  description: string
  /** Version and language shown by default; null if the site has only one. */
  defaultVersion: string | null
  defaultLanguage: string | null
  /** Path of the site below its origin, a prefix of all page paths; absent at the root. */
  basePath?: string
  /** The owner's instructions for programs that read the site; not for the assistant. */
  instructions?: string
  /** Addresses that lead readers to others, of the site and of its host. */
  redirects?: readonly Redirect[]
  /** In navigation order. */
  pages: SitePage[]
  /** How well the pages agree with their source. */
  check: SiteCheck
  /** Most of the site's own links lead nowhere, so its page addresses are probably wrong. */
  isDoubtful: boolean
  findings: Finding[]
}
