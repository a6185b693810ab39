import type { FileTree } from '../trees/file-tree.ts'
import type { SourceFiles } from '../trees/read-text.ts'
import { readText } from '../trees/read-text.ts'
import type { FindingList } from '../finding-list.ts'
import type { PageDialect } from './page-dialect.ts'
import { docsJsonDialect } from './page-dialect.ts'
import { parseLeniently } from './parse-leniently.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import { isPageFile, resolveSourcePath } from '../trees/source-path.ts'

const librarySize = 5000

/**
 * The files of a site as text and as parsed snippets. Holds parsed snippets for the length of one reading, because many pages
 * share them.
 */
export interface SourceLibrary extends SourceFiles {
  dialect: PageDialect
  variables: ReadonlyMap<string, string>
  snippets: Map<string, ParsedSource>
  /** Files that some page or snippet imports; they are no pages of their own. */
  imported: Set<string>
}

export function createLibrary(
  tree: FileTree,
  variables: ReadonlyMap<string, string>,
  findings: FindingList,
  dialect: PageDialect = docsJsonDialect,
): SourceLibrary {
  return { tree, paths: new Set(tree.paths), dialect, variables, findings, snippets: new Map(), imported: new Set() }
}

/** Reads and parses the snippets that a file imports, and those that they import, so that rendering needs no waiting. */
export async function loadSnippets(library: SourceLibrary, source: ParsedSource): Promise<void> {
  const waiting: ParsedSource[] = [source]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const file of snippetFilesOf(next, library)) {
      library.imported.add(file)
      if (library.snippets.has(file) || library.snippets.size >= librarySize) continue
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
      const message = `The import ${reference} names no file of this site. Correct its path.`
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
