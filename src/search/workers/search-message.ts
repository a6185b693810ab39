import type { IndexReadFault } from '../index-file/index-read-error.ts'
import type { IndexHeader, Reader, SearchQuery } from '../search-query.ts'

/** A request from the engine to a worker thread. `index` identifies an open file. */
export type SearchRequest =
  | { kind: 'open'; index: number; file: string }
  /** Opens the vectors of an open file; the reply says whether there are any of this model. */
  | { kind: 'open-vectors'; index: number; model: string }
  /** `question`: the query's vector, of the model whose vectors are open. */
  | { kind: 'search'; index: number; query: SearchQuery; question?: Float32Array }
  | { kind: 'explain'; index: number; query: SearchQuery; question?: Float32Array }
  | { kind: 'count-terms'; index: number; query: SearchQuery }
  | { kind: 'read-page' | 'read-origins' | 'find-address'; index: number; path: string; reader: Reader }
  | { kind: 'read-image'; index: number; file: string }
  | { kind: 'list-pages' | 'list-redirects'; index: number; reader: Reader }

/** A request, or a command to close a file or its vectors. Sent in lists. */
export type WorkerMessage =
  | { id: number; request: SearchRequest }
  | { id: null; close: number }
  | { id: null; closeVectors: number }

/** Exactly one per request, in order. Passages come as JSON, which is read twice as fast as a structured clone. */
export type WorkerReply =
  | { id: number; value: unknown }
  | { id: number; json: string }
  | { id: number; error: string; fault: IndexReadFault }

/** The reply to `open`. The stamp distinguishes files that had the same name. */
export interface OpenedFile {
  header: IndexHeader
  stamp: string
}
