import { AsyncLocalStorage } from 'node:async_hooks'
import type { SourceText } from './parse-leniently.ts'
import type { SourceLibrary } from './source-library.ts'

/** A page's body, and the path that links without one point into. */
export interface PageSource extends SourceText {
  path: string
}

/**
 * Stands around the flattening of each page: to take a result that is known from an earlier reading, or to leave a page
 * out.
 *
 * @param flatten Does the work, with this library or one that watches what is read from it.
 */
export type AroundFlatten = (
  library: SourceLibrary,
  page: PageSource,
  flatten: (library: SourceLibrary) => Promise<string>,
) => Promise<string>

/**
 * What stands around pages within one reading. It goes with the reading rather than from hand to hand, because every
 * format makes its own library, and one that forgot to pass it on would lose the bound on the time of a page.
 */
export const aroundFlatten = new AsyncLocalStorage<AroundFlatten>()
