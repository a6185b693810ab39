import { AsyncLocalStorage } from 'node:async_hooks'
import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'

/** A page's file, its frontmatter read and its body not yet. Shared by all who ask for the file, so nothing may change it. */
export interface LoadedFile {
  frontmatter: Readonly<Frontmatter>
  /** Everything that the frontmatter says, for what only some formats know. */
  fields: Readonly<Record<string, unknown>>
  body: string
  bodyLine: number
}

/**
 * Stands around the loading of each page's file, which depends on that file alone: to take a result that is known.
 *
 * @param load Does the work, with this library or one that keeps its findings; null when the file cannot be read.
 */
export type AroundLoad = (
  library: SourceLibrary,
  file: string,
  load: (library: SourceLibrary) => Promise<LoadedFile | null>,
) => Promise<LoadedFile | null>

/** What stands around files within one reading; it goes with the reading, as `aroundFlatten` does. */
export const aroundLoad = new AsyncLocalStorage<AroundLoad>()
