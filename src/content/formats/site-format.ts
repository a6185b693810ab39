import type { PageDialect } from '../flatten/page-dialect.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import type { NavigationReader } from '../navigation/site-navigation.ts'
import type { SiteContent, SitePage } from '../site-page.ts'
import type { SiteReading } from '../site-reading.ts'
import type { FileTree } from '../trees/file-tree.ts'
import type { WriteRules } from './write-rules.ts'

/**
 * A site format. Lightweight: its reader is loaded on demand, because lists of formats are also needed where no site is
 * read.
 */
export interface SiteFormat {
  /** Stored name: `docs-json`. */
  name: string
  /** Display name: `docs.json`. */
  label: string
  /** Matches the file that identifies the format, relative to the site's folder; null if there is none. */
  configFile: RegExp | null
  /** Finds the folder of a site in this format, `''` for the root; null if there is none. */
  locate: (paths: ReadonlySet<string>) => string | null
  /**
   * The JSON file at the root of the tree with navigation and redirects. Editing tools keep it up to date, reading the
   * site reports its faults, and only files that it names are pages.
   */
  navigationFile?: string
  /** What a change may write. */
  writes: WriteRules
  /** Whether a page's address follows from its file's path, wherever the site is published. */
  hasFileAddresses?: true
  /** Whether the source itself names the address of every page, so that links cannot tell better. */
  hasGivenAddresses?: true
  /** Whether pages missing in a language are shown in the default language. */
  hasLanguageFallback?: true
  /** Whether a site may use files of its repository that are outside of its folder. */
  looksAround?: true
  plan: (reading: SiteReading, root: string) => Promise<SitePlan>
  /** Finds where the navigation and the redirects are written; absent if people cannot edit them in the source. */
  readEntries?: NavigationReader
}

/** What a format determines about a site before any page is parsed. */
export interface SitePlan extends Omit<
  SiteContent,
  'format' | 'name' | 'description' | 'pages' | 'check' | 'isDoubtful' | 'findings'
> {
  /** Overrides the format's name if the site was assembled from another format. */
  format?: string
  /** Absent if the name comes from the start page. */
  name?: string
  description?: string
  /** File → address of published pages, listed or not; derived from the files if absent. */
  routes?: ReadonlyMap<string, string>
  /** Addresses of pages that are not read, as patterns of `matchPathPatterns`. */
  unread?: readonly string[]
  /** The page files, if they are cut out of other files. */
  tree?: FileTree
  dialect: PageDialect
  /** Replacements for `{{name}}` in pages. */
  variables?: ReadonlyMap<string, string>
  /** Reads the pages in navigation order through the given library. */
  readPages: (library: SourceLibrary) => Promise<SitePage[]>
}

/** For formats identified by a file at the root of the tree. */
export const atRoot = (file: string) => (paths: ReadonlySet<string>) => (paths.has(file) ? '' : null)
