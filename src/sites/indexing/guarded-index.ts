import { AppError } from '../../contract/app-error.ts'
import { IndexReadError } from '../../search/index-file/index-read-error.ts'
import type { SearchIndex } from '../../search/search-query.ts'

/**
 * @param index The index that failed.
 * @param error Why it failed.
 * @returns The index to search instead.
 * @throws {AppError} `site_not_ready`, while there is none.
 * @throws The error itself if the index is intact: then the query or the code is at fault.
 */
export type RecoverIndex = (index: SearchIndex, error: IndexReadError) => Promise<SearchIndex>

/** An index that investigates failures: a failed search is retried once, on the index served by then. */
export class GuardedIndex implements SearchIndex {
  readonly header: SearchIndex['header']
  readonly #recover: RecoverIndex
  #index: SearchIndex

  constructor(index: SearchIndex, recover: RecoverIndex) {
    this.header = index.header
    this.#index = index
    this.#recover = recover
  }

  search: SearchIndex['search'] = (query, signal) => this.#ask((index) => index.search(query, signal))
  countTerms: SearchIndex['countTerms'] = (query, signal) => this.#ask((index) => index.countTerms(query, signal))
  explain: SearchIndex['explain'] = (query, signal) => this.#ask((index) => index.explain(query, signal))
  readPage: SearchIndex['readPage'] = (...asked) => this.#ask((index) => index.readPage(...asked))
  readImage: SearchIndex['readImage'] = (...asked) => this.#ask((index) => index.readImage(...asked))
  findAddress: SearchIndex['findAddress'] = (...asked) => this.#ask((index) => index.findAddress(...asked))
  listRedirects: SearchIndex['listRedirects'] = (...asked) => this.#ask((index) => index.listRedirects(...asked))
  readOrigins: SearchIndex['readOrigins'] = (...asked) => this.#ask((index) => index.readOrigins(...asked))
  listPages: SearchIndex['listPages'] = (reader, signal) => this.#ask((index) => index.listPages(reader, signal))

  close(): Promise<void> {
    return this.#index.close()
  }

  async #ask<Value>(question: (index: SearchIndex) => Promise<Value>): Promise<Value> {
    try {
      return await question(this.#index)
    } catch (error) {
      if (!(error instanceof IndexReadError)) throw error
      this.#index = await this.#recover(this.#index, error)
    }
    return question(this.#index).catch((error: unknown) => {
      throw isLost(error) ? repeat(error) : error
    })
  }
}

function isLost(error: unknown): error is IndexReadError {
  return error instanceof IndexReadError && error.fault === 'lost'
}

/** The search thread died twice, which is not the caller's fault. */
function repeat(cause: IndexReadError): AppError {
  return new AppError('overloaded', cause.message, { cause })
}
