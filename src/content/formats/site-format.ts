import type { PageDialect } from '../flatten/page-dialect.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import type { SiteContent, SitePage } from '../site-page.ts'
import type { SiteReading } from '../site-reading.ts'
import type { FileTree } from '../trees/file-tree.ts'

/**
 * What is known of a site format outside of its folder. Light: what reads a site is loaded on demand, because lists of
 * formats are read where no site is.
 */
export interface SiteFormat {
  /** As it is stored: `docs-json`. */
  name: string
  /** As people call it: `docs.json`. */
  label: string
  /** Matches the file, by its path from the site's folder, that tells the format by itself; null for a format without one. */
  configFile: RegExp | null
  /** The folder of the tree that holds a site of this format, `''` for the root; null when there is none. */
  locate: (paths: ReadonlySet<string>) => string | null
  /**
   * The JSON file, in the root of the tree, that holds navigation and redirects. Tools keep it up to date, its faults are
   * found by reading the site, and only files that it names are pages.
   */
  navigationFile?: string
  /** Whether a page's address follows from its file's path, wherever the site is published. */
  hasFileAddresses?: true
  /** Whether readers of a language are shown pages of the default language where theirs are missing. */
  hasLanguageFallback?: true
  plan: (reading: SiteReading, root: string) => Promise<SitePlan>
}

/** What a format finds out about a site before any page is parsed. */
export interface SitePlan extends Omit<SiteContent, 'format' | 'name' | 'description' | 'pages' | 'findings'> {
  /** The name of the format, where the site was put together from another. */
  format?: string
  /** Absent for a site that its start page gives a name. */
  name?: string
  description?: string
  /** The files of the pages, where they are cut out of others. */
  tree?: FileTree
  dialect: PageDialect
  /** Fill `{{name}}` in pages. */
  variables?: ReadonlyMap<string, string>
  /** Reads the pages in navigation order, through the library that it is handed. */
  readPages: (library: SourceLibrary) => Promise<SitePage[]>
}

/** For formats that are told by a file in the root of the tree. */
export const atRoot = (file: string) => (paths: ReadonlySet<string>) => (paths.has(file) ? '' : null)
