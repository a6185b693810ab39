import type { AnchorStyle } from '../markdown/heading-anchors.ts'
import { prepareMdx } from './prepare-mdx.ts'
import { resolveLink, resolveSourcePath } from '../trees/source-path.ts'

/** A set of built-in components, which pages use without importing them. */
export type ComponentLibrary = 'docs-json'

/** A format's extensions of Markdown, and how its pages refer to files and each other. */
export interface PageDialect {
  /**
   * Identifies how pages are read: the same text renders identically under the same name, except links, which depend on
   * the addresses of the site's pages. Includes every option that `prepare`, `syntaxOf` and `resolveImport` depend on.
   */
  name: string
  anchorStyle: AnchorStyle
  components?: ComponentLibrary | undefined
  syntaxOf: (file: string) => 'markdown' | 'mdx'
  /** Whether templates are expanded on every page, also in code. */
  hasTemplates?: boolean
  /**
   * Rewrites syntax that the parser does not know. For MDX it preserves line numbers, so that findings point to the
   * right line.
   */
  prepare: (body: string, context: PrepareContext) => string
  /** The file that an import refers to; null for packages and files outside the tree. */
  resolveImport: (fromFile: string, reference: string) => string | null
  /** Whether to report an import whose file is missing. */
  isContentImport: (reference: string) => boolean
  /** Makes a link root-relative; null if it is disallowed. */
  resolveLink: (url: string, from: { file: string; path: string }) => string | null
}

export interface PrepareContext {
  syntax: 'markdown' | 'mdx'
  variables: ReadonlyMap<string, string>
}

export function syntaxOfExtension(file: string): 'markdown' | 'mdx' {
  return /\.mdx$/i.test(file) ? 'mdx' : 'markdown'
}

/** Rewrites a format's own syntax, then, for MDX files, what MDX does not support. */
export function prepareMdxAfter(prepare: (body: string) => string): PageDialect['prepare'] {
  return (body, { syntax, variables }) => (syntax === 'mdx' ? prepareMdx(prepare(body), variables) : prepare(body))
}

export const docsJsonDialect: PageDialect = {
  name: 'docs-json',
  anchorStyle: 'docs-json',
  components: 'docs-json',
  syntaxOf: syntaxOfExtension,
  prepare: prepareMdxAfter((body) => body),
  resolveImport: (fromFile, reference) => (/^[./]/.test(reference) ? resolveSourcePath(fromFile, reference) : null),
  isContentImport: (reference) => /^[./]/.test(reference),
  resolveLink,
}

/** For formats without imports. */
export const noImports: Pick<PageDialect, 'resolveImport' | 'isContentImport'> = {
  resolveImport: () => null,
  isContentImport: () => false,
}
