import type { AnchorStyle } from './markdown/heading-anchors.ts'

/** A page as its readers see it, flattened to plain Markdown. */
export interface SitePage {
  /** Root-relative, without extension or trailing slash: `/guides/install`, `/` for the root. Unique within version and language. */
  path: string
  /** The file in the source tree that it was made from. */
  file: string
  title: string
  /** Empty when the page has none. */
  description: string
  /** Readable Markdown: no frontmatter, no JSX, no comments; components keep their titles. */
  markdown: string
  /** Titles of the navigation containers around the page, outermost first. */
  section: string[]
  /** Position in the navigation, from 0; pages outside it come last. */
  order: number
  version: string | null
  language: string | null
  tag: string | null
  keywords: string[]
  /** Reader groups of which one is needed. Empty: no group is needed. */
  groups: string[]
  /** False on a site that asks for sign-in, unless the page is marked public. A page with groups is never public. */
  isPublic: boolean
  /** Whether the assistant and the search may use it. Pages that nobody may be shown are not in a site at all. */
  isSearchable: boolean
  /** Whether `llms.txt` names it. */
  isListed: boolean
  /** The file of the API description that it shows an operation or a schema of. */
  apiFile?: string
  /** Multiplies the score of its chunks; 1 unless the site says otherwise. */
  boost: number
  /** How the ids of its headings are made; as GitHub does where absent. */
  anchorStyle?: AnchorStyle
}

/** Something wrong with a site's source that its owner should know. */
export interface Finding {
  file: string
  /** 1-based, or null where the fault has no line. */
  line: number | null
  /** Kebab-case, stable: `page-unparsable`, `navigation-page-missing`. */
  rule: string
  /** A sentence. */
  message: string
}

/** Everything that is read from one source tree. */
export interface SiteContent {
  /** The name of its `SiteFormat`. */
  format: string
  /** The site's name as it gives it, else empty. */
  name: string
  description: string
  /** The version and language shown when a reader names none; null where the site has only one. */
  defaultVersion: string | null
  defaultLanguage: string | null
  /** Where the site is published below its origin, which the paths of its pages begin with then; absent for the origin itself. */
  basePath?: string
  /** What the owner tells programs that read the site; for them, not for the assistant. */
  instructions?: string
  /** In navigation order. */
  pages: SitePage[]
  findings: Finding[]
}
