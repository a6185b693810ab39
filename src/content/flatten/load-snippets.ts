import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile, resolveSourcePath } from '../trees/source-path.ts'
import { parseLeniently } from './parse-leniently.ts'
import type { SourceLibrary } from './source-library.ts'

/** Most parsed snippets kept per reading. */
const snippetsMax = 5000

/** Loads the snippets that a file imports, transitively, so that rendering is synchronous. */
export async function loadSnippets(library: SourceLibrary, source: ParsedSource): Promise<void> {
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
  for (const { reference } of source.imports) {
    const file = library.dialect.resolveImport(source.file, reference)
    if (file !== null && library.paths.has(file)) files.push(file)
    else if (library.dialect.isContentImport(reference)) {
      const message = `The import ${reference} does not match any file of this site. Correct its path.`
      library.findings.add({ file: source.file, line: null, rule: 'snippet-missing', message })
    }
  }
  for (const [, name = ''] of source.text.matchAll(/<Snippet\s+file=["']([^"'\n]{1,300})["']/g)) {
    const file = resolveSourcePath('', `/snippets/${name}`)
    if (file !== null && library.paths.has(file)) files.push(file)
  }
  return files
}

async function loadSnippet(library: SourceLibrary, file: string): Promise<ParsedSource | null> {
  if (!isPageFile(file)) return null
  const text = await readText(library, file)
  if (text === null) return null
  return parseLeniently({ file, ...splitFrontmatter(text) }, library)
}
