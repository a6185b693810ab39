import type { SourceText } from './parse-leniently.ts'
import { parseLeniently } from './parse-leniently.ts'
import { renderSource } from './render-markdown.ts'
import { createBudget } from './render-scope.ts'
import { constantsOf } from './render-snippet.ts'
import type { SourceLibrary } from './source-library.ts'
import { loadSnippets } from './source-library.ts'

/**
 * Turns a page's source into readable Markdown: no components, no comments, snippets filled in, links root-relative.
 * A page that does not parse comes out as text, with a finding that says why.
 *
 * @param page.path The page that links without a path point into.
 */
export async function flattenPage(library: SourceLibrary, page: SourceText & { path: string }): Promise<string> {
  const source = parseLeniently(page, library.variables, library.findings)
  await loadSnippets(library, source)
  return renderSource({
    source,
    page: { file: page.file, path: page.path },
    values: constantsOf(source, library.snippets),
    properties: new Map(),
    children: null,
    library: library.snippets,
    stack: [],
    depth: 0,
    budget: createBudget(),
    findings: library.findings,
  })
}
