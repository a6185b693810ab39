import type { ParsedSource, SourceImport } from '../markdown/parse-source.ts'
import type { PageDialect } from './page-dialect.ts'

/** Bundlers import a file as text with `?raw` or `!!raw-loader!`. */
const asText = /^!*raw-loader!|\?raw$/g

/** Whether an import is the text of a file. */
export function isRawImport(reference: string): boolean {
  return reference.search(asText) !== -1
}

/** The file that a name is imported from; null for packages and files outside the tree. */
export function importedFile(source: ParsedSource, { reference }: SourceImport, dialect: PageDialect): string | null {
  return dialect.resolveImport(source.file, reference.replace(asText, ''))
}
