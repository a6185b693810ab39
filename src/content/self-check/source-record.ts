import type { PageHooks, PageSource, SourceLibrary } from '../flatten/source-library.ts'
import { findLostWords, type LostWords } from './lost-words.ts'
import { readSourceText } from './source-text.ts'

/** A page's source as it was read. */
export interface RecordedSource extends PageSource {
  library: SourceLibrary
  /** Null if the page was only listed. */
  words: LostWords | null
}

/** Notes the source of each page while a site is read, and compares it with what became of it. */
export function recordSources(
  hooks: PageHooks,
  { isOutline = false }: { isOutline?: boolean },
): { hooks: PageHooks; sources: Map<string, RecordedSource> } {
  const sources = new Map<string, RecordedSource>()
  const around = hooks.aroundFlatten
  const aroundFlatten: NonNullable<PageHooks['aroundFlatten']> = async (library, page, flatten) => {
    const markdown = await (around === undefined ? flatten(library) : around(library, page, flatten))
    const syntax = library.dialect.syntaxOf(page.file)
    const words = isOutline ? null : findLostWords(readSourceText(page.body, syntax), markdown)
    sources.set(page.file, { ...page, library, words })
    return markdown
  }
  return { hooks: { ...hooks, aroundFlatten }, sources }
}

/** The words of the pages that became part of the site. */
export function listReadWords(
  pages: readonly { file: string }[],
  sources: ReadonlyMap<string, RecordedSource>,
): (LostWords & { file: string })[] {
  return [...new Set(pages.map(({ file }) => file))].flatMap((file) => {
    const words = sources.get(file)?.words ?? null
    return words === null ? [] : { file, ...words }
  })
}
