import { parseLeniently } from './parse-leniently.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { renderSource } from './render-markdown.ts'
import { createBudget } from './render-scope.ts'
import { constantsOf } from './render-snippet.ts'
import type { FlatPage, PageSource, SourceLibrary } from './source-library.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import { isModuleFile } from '../markdown/module-constants.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile } from '../trees/source-path.ts'
import { findReferenced, listReferences, toCodeSource } from './code-reference.ts'
import { importedFile, isRawImport } from './imported-file.ts'
import { isAstroFile, parseAstroComponent } from './astro-component.ts'

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

/** Most parsed snippets kept per reading. */
const snippetsMax = 5000

/** Whether an element of the file's name shows what the file holds. */
const isSnippetFile = (file: string) => isPageFile(file) || isAstroFile(file)

/** Loads the snippets that a file imports, transitively, so that rendering is synchronous. */
async function loadSnippets(library: SourceLibrary, source: ParsedSource): Promise<void> {
  const waiting: ParsedSource[] = [source]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const file of snippetFilesOf(next, library)) {
      library.imported.add(file)
      if (library.snippets.has(file) || library.snippets.size >= snippetsMax) continue
      const snippet = await loadSnippet(library, file)
      if (snippet === null) continue
      library.snippets.set(file, snippet)
      waiting.push(snippet)
    }
  }
}

function snippetFilesOf(source: ParsedSource, library: SourceLibrary): string[] {
  const files: string[] = []
  const has = (file: string) => library.paths.has(file)
  const reportMissing = (line: number | null, subject: string) => {
    const message = `${subject} does not match any file of this site. Correct its path.`
    library.findings.add({ file: source.file, line, rule: 'snippet-missing', message })
  }
  for (const entry of source.imports) {
    const file = importedFile(source, entry, library.dialect)
    const isRead = file !== null && (isModuleFile(file) || isSnippetFile(file) !== isRawImport(entry.reference))
    if (isRead && has(file)) files.push(file)
    else if ((file === null || !has(file)) && library.dialect.isContentImport(entry.reference))
      reportMissing(null, `The import ${entry.reference}`)
  }
  for (const { reference, line } of listReferences(source.root)) {
    const file = findReferenced(source.file, reference, has)
    if (file !== null) files.push(file)
    else reportMissing(line, `The file ${reference}`)
  }
  return files
}

async function loadSnippet(library: SourceLibrary, file: string): Promise<ParsedSource | null> {
  const text = await readText(library, file)
  if (text === null) return null
  if (isAstroFile(file)) return parseAstroComponent(file, text)
  return isPageFile(file) ? parseLeniently({ file, ...splitFrontmatter(text) }, library) : toCodeSource(file, text)
}
