import type { FlatPage, PageHooks, PageSource, SourceLibrary } from '../flatten/source-library.ts'
import { findLostWords, type LostWords } from '../markdown/lost-words.ts'
import { readSourceText } from './source-text.ts'

/** A page's source as it was read. */
export interface RecordedSource extends PageSource, Pick<FlatPage, 'words'> {
  library: SourceLibrary
}

/** Notes the source of each page while a site is read, and compares it with what became of it. */
export function recordSources(hooks: PageHooks): { hooks: PageHooks; sources: Map<string, RecordedSource> } {
  const sources = new Map<string, RecordedSource>()
  const around = hooks.aroundFlatten
  const aroundFlatten: NonNullable<PageHooks['aroundFlatten']> = async (library, page, flatten) => {
    const compare: typeof flatten = async (watched) => {
      const { markdown } = await flatten(watched)
      const source = readSourceText(page.body, library.dialect.syntaxOf(page.file))
      return { markdown, words: findLostWords(source, markdown) }
    }
    const flat = await (around === undefined ? compare(library) : around(library, page, compare))
    sources.set(page.file, { ...page, library, words: flat.words })
    return flat
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
