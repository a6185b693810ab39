import type { LostWords } from '../markdown/lost-words.ts'
import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import type { SourceFiles } from '../trees/read-text.ts'
import { docsJsonDialect, type PageDialect } from './page-dialect.ts'

/** Source text of a page or snippet. */
export interface SourceText {
  file: string
  /** Cleaned text after the frontmatter. */
  body: string
  /** Lines before the body. */
  bodyLine: number
}

/** A page's body, and the path that anchor-only links refer to. */
export interface PageSource extends SourceText {
  path: string
  /** The whole file as it is stored; absent if the page is not a file. */
  text?: string
}

/** A page's file with parsed frontmatter and raw body. Shared by all readers of the file: never modify it. */
export interface LoadedFile {
  frontmatter: Readonly<Frontmatter>
  /** All frontmatter fields, including those specific to a format. */
  fields: Readonly<Record<string, unknown>>
  body: string
  bodyLine: number
  /** The file as it is stored, up to the body. */
  head: string
  /** The rest of it, where cleaning changed it. */
  storedBody?: string
}

/** What a page's source became. */
export interface FlatPage {
  markdown: string
  /** The words of the source that the Markdown lacks; null if they were not compared. */
  words: LostWords | null
}

/** A page that is left unread. */
export const unreadPage: FlatPage = { markdown: '', words: null }

/**
 * Wraps the flattening of each page, to reuse an earlier result or skip the page.
 *
 * @param flatten Flattens with the given library, which may be one that records what is read.
 */
export type AroundFlatten = (
  library: SourceLibrary,
  page: PageSource,
  flatten: (library: SourceLibrary) => Promise<FlatPage>,
) => Promise<FlatPage>

/**
 * Wraps the loading of each page's file, to reuse an earlier result. The result depends on that file only.
 *
 * @param load Loads with the given files, which may be ones that collect findings; null if the file cannot be read.
 */
export type AroundLoad = (
  files: SourceFiles,
  file: string,
  load: (files: SourceFiles) => Promise<LoadedFile | null>,
) => Promise<LoadedFile | null>

/**
 * Returns what was made of the same texts earlier, or makes it.
 *
 * @param kind Names what is made, with everything else it depends on.
 * @param make Must be pure, and its result serializable by `v8.serialize`. Never modify a result.
 */
export type Remember = <Result>(kind: string, texts: readonly string[], make: () => Result) => Result

/** Remembers nothing. */
export const makeAnew: Remember = (_kind, _texts, make) => make()

export interface PageHooks {
  aroundFlatten?: AroundFlatten
  aroundLoad?: AroundLoad
  remember?: Remember
}

/**
 * The files of a site and what its pages share: dialect, variables and parsed snippets.
 *
 * Made by `readSite` and passed to the site's format, so that no format can lose the hooks.
 */
export interface SourceLibrary extends SourceFiles {
  hooks: PageHooks
  dialect: PageDialect
  variables: ReadonlyMap<string, string>
  snippets: Map<string, ParsedSource>
  /** Files imported by a page or snippet, which are not pages themselves. */
  imported: Set<string>
}

export interface LibraryOptions {
  dialect?: PageDialect
  variables?: ReadonlyMap<string, string>
  hooks?: PageHooks
}

export function createLibrary({ tree, findings }: Omit<SourceFiles, 'paths'>, options: LibraryOptions): SourceLibrary {
  const { dialect = docsJsonDialect, variables = new Map(), hooks = {} } = options
  const paths = new Set(tree.paths)
  return { tree, paths, findings, hooks, dialect, variables, snippets: new Map(), imported: new Set() }
}
