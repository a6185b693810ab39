import type { IndexReadFault } from '../index-file/index-read-error.ts'
import type { IndexHeader, Reader, SearchQuery } from '../search-query.ts'

/** What the engine asks of a worker thread. `index` names an open file. */
export type SearchRequest =
  | { kind: 'open'; index: number; file: string }
  /** Opens the vectors beside an open file; the reply says whether there were any of this model. */
  | { kind: 'open-vectors'; index: number; model: string }
  /** `question`: what the query means, as a vector of the model that the vectors were opened for. */
  | { kind: 'search'; index: number; query: SearchQuery; question?: Float32Array }
  | { kind: 'explain'; index: number; query: SearchQuery; question?: Float32Array }
  | { kind: 'count-terms'; index: number; query: SearchQuery }
  | { kind: 'read-page'; index: number; path: string; reader: Reader }
  | { kind: 'list-pages'; index: number; reader: Reader }

/** A request, or an order to close a file or its vectors. */
export type WorkerMessage =
  | { id: number; request: SearchRequest }
  | { id: null; close: number }
  | { id: null; closeVectors: number }

/** Exactly one per request, in order. */
export type WorkerReply = { id: number; value: unknown } | { id: number; error: string; fault: IndexReadFault }

/** The reply to `open`. The stamp tells one file from another under the same name. */
export interface OpenedFile {
  header: IndexHeader
  stamp: string
}
