import type { AnchorStyle } from '../markdown/heading-anchors.ts'
import { prepareMdx } from './prepare-mdx.ts'
import { resolveLink, resolveSourcePath } from '../trees/source-path.ts'

/** What a format adds to Markdown, and how its pages name files and each other. */
export interface PageDialect {
  /**
   * Names the way pages are read: pages of one text come out alike under one name, links aside, which depend on where
   * the pages of the site are. Holds every option that `prepare`, `syntaxOf` and `resolveImport` depend on.
   */
  name: string
  anchorStyle: AnchorStyle
  syntaxOf: (file: string) => 'markdown' | 'mdx'
  /** Rewrites what the parser does not know. Keeps every line of MDX on its line, so that faults are found there. */
  prepare: (body: string, context: PrepareContext) => string
  /** The file that an import names; null for a package and for what lies outside. */
  resolveImport: (fromFile: string, reference: string) => string | null
  /** Whether an import that names no file is worth telling. */
  isContentImport: (reference: string) => boolean
  /** A link as readers need it, root-relative; null where they must not be sent. */
  resolveLink: (url: string, from: { file: string; path: string }) => string | null
}

export interface PrepareContext {
  syntax: 'markdown' | 'mdx'
  variables: ReadonlyMap<string, string>
}

export function syntaxOfExtension(file: string): 'markdown' | 'mdx' {
  return /\.mdx$/i.test(file) ? 'mdx' : 'markdown'
}

/** Has a format's own syntax rewritten first, and in MDX what MDX does not know. */
export function prepareMdxAfter(prepare: (body: string) => string): PageDialect['prepare'] {
  return (body, { syntax, variables }) => (syntax === 'mdx' ? prepareMdx(prepare(body), variables) : prepare(body))
}

export const docsJsonDialect: PageDialect = {
  name: 'docs-json',
  anchorStyle: 'docs-json',
  syntaxOf: syntaxOfExtension,
  prepare: prepareMdxAfter((body) => body),
  resolveImport: (fromFile, reference) => (/^[./]/.test(reference) ? resolveSourcePath(fromFile, reference) : null),
  isContentImport: (reference) => /^[./]/.test(reference),
  resolveLink,
}

/** Imports of formats in which a page takes in others by relative paths only; whatever else it imports is code. */
export const relativeImports: Pick<PageDialect, 'resolveImport' | 'isContentImport'> = {
  resolveImport: (fromFile, reference) => (reference.startsWith('.') ? resolveSourcePath(fromFile, reference) : null),
  isContentImport: (reference) => reference.startsWith('.') && /\.mdx?$/.test(reference),
}

/** Formats whose pages take in nothing by imports. */
export const noImports: Pick<PageDialect, 'resolveImport' | 'isContentImport'> = {
  resolveImport: () => null,
  isContentImport: () => false,
}
