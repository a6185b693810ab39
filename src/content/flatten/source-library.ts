import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import type { SourceFiles } from '../trees/read-text.ts'
import { docsJsonDialect, type PageDialect } from './page-dialect.ts'

/** The text of a page or snippet. */
export interface SourceText {
  file: string
  /** Text after the frontmatter, cleaned. */
  body: string
  /** Lines before the body. */
  bodyLine: number
}

/** A page's body, and the path that links without one point into. */
export interface PageSource extends SourceText {
  path: string
}

/** A page's file with its frontmatter read and its body untouched. Shared by all readers of the file: never change it. */
export interface LoadedFile {
  frontmatter: Readonly<Frontmatter>
  /** All fields of the frontmatter, for those that only some formats know. */
  fields: Readonly<Record<string, unknown>>
  body: string
  bodyLine: number
}

/**
 * Wraps the flattening of each page, to reuse an earlier result or to leave a page out.
 *
 * @param flatten Does the work, with this library or one that watches what is read from it.
 */
export type AroundFlatten = (
  library: SourceLibrary,
  page: PageSource,
  flatten: (library: SourceLibrary) => Promise<string>,
) => Promise<string>

/**
 * Wraps the loading of each page's file, to reuse an earlier result. The result depends on that file alone.
 *
 * @param load Does the work, with these files or with ones that collect its findings; null when the file cannot be read.
 */
export type AroundLoad = (
  files: SourceFiles,
  file: string,
  load: (files: SourceFiles) => Promise<LoadedFile | null>,
) => Promise<LoadedFile | null>

export interface PageHooks {
  aroundFlatten?: AroundFlatten
  aroundLoad?: AroundLoad
}

/**
 * The files of a site and what its pages share: the dialect they are written in, variables, parsed snippets.
 *
 * `readSite` makes it and hands it to the site's format, so that no format can lose the hooks.
 */
export interface SourceLibrary extends SourceFiles {
  hooks: PageHooks
  dialect: PageDialect
  variables: ReadonlyMap<string, string>
  snippets: Map<string, ParsedSource>
  /** Files that some page or snippet imports; they are no pages of their own. */
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
