import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import { isModuleFile } from '../markdown/module-constants.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile } from '../trees/source-path.ts'
import { findReferenced, listReferences, toCodeSource } from './code-reference.ts'
import { importedFile, isRawImport } from './imported-file.ts'
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
  const has = (file: string) => library.paths.has(file)
  const reportMissing = (line: number | null, subject: string) => {
    const message = `${subject} does not match any file of this site. Correct its path.`
    library.findings.add({ file: source.file, line, rule: 'snippet-missing', message })
  }
  for (const entry of source.imports) {
    const file = importedFile(source, entry, library.dialect)
    const isRead = file !== null && (isModuleFile(file) || isPageFile(file) !== isRawImport(entry.reference))
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
  return isPageFile(file) ? parseLeniently({ file, ...splitFrontmatter(text) }, library) : toCodeSource(file, text)
}
