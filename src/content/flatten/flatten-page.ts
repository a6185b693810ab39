import { parseLeniently } from './parse-leniently.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { renderSource } from './render-markdown.ts'
import { createBudget } from './render-scope.ts'
import { constantsOf } from './render-snippet.ts'
import { loadSnippets } from './load-snippets.ts'
import type { FlatPage, PageSource, SourceLibrary } from './source-library.ts'

/**
 * Turns a page's source into readable Markdown: no components or comments, snippets expanded, links root-relative. An
 * unparsable page becomes plain text, with a finding that says why.
 *
 * @param page.path Base path of links that consist of an anchor only.
 */
export async function flattenPage(library: SourceLibrary, page: PageSource): Promise<string> {
  const flatten = async (watched: SourceLibrary): Promise<FlatPage> => {
    return { markdown: await renderPage(watched, page, parseLeniently(page, watched)), words: null }
  }
  const { markdown } = await (library.hooks.aroundFlatten?.(library, page, flatten) ?? flatten(library))
  return markdown
}

/** Renders an already parsed page as readable Markdown. */
export async function renderPage(library: SourceLibrary, page: PageSource, source: ParsedSource): Promise<string> {
  await loadSnippets(library, source)
  return renderSource({
    source,
    page: { file: page.file, path: page.path },
    values: constantsOf(source, { library: library.snippets, dialect: library.dialect }),
    properties: new Map(),
    children: null,
    library: library.snippets,
    dialect: library.dialect,
    siblingTitles: [],
    stack: [],
    depth: 0,
    budget: createBudget(),
    findings: library.findings,
  })
}
