import { addToList } from '../../base/add-to-list.ts'
import { analyzeQuery } from '../../base/text-analysis/analyze-text.ts'
import type { IndexFile, PageRecord } from '../index-file/index-file.ts'

/** A title, or the last part of a path. */
export interface PageName {
  /** From 0. */
  id: number
  page: number
  /** Number of different terms in it, without stop words unless it has only these. */
  termCount: number
}

export interface PageNames {
  byTerm: ReadonlyMap<string, readonly PageName[]>
  /** Scratch space of the current search, by id of a name. */
  matches: NameMatches
}

/** What is known of the names that a query matches; all zero between searches. */
export interface NameMatches {
  termCounts: Uint16Array
  /** Weights of the query's words in the names. */
  weights: Float64Array
  /** The words matched last, and how much of their weights. */
  words: Int32Array
  wordWeights: Float64Array
}

const namesByIndex = new WeakMap<IndexFile, PageNames>()

/** Analysed on the first search: names are in memory anyway, and some thousand of them take milliseconds. */
export function getPageNames(index: IndexFile): PageNames {
  const known = namesByIndex.get(index)
  if (known) return known
  const byTerm = new Map<string, PageName[]>()
  let count = 0
  index.pages.forEach((page, number) => {
    for (const terms of listNames(page)) {
      const name = { id: count++, page: number, termCount: terms.size }
      for (const term of terms) addToList(byTerm, term, name)
    }
  })
  const matches = {
    termCounts: new Uint16Array(count),
    weights: new Float64Array(count),
    words: new Int32Array(count),
    wordWeights: new Float64Array(count),
  }
  const names = { byTerm, matches }
  namesByIndex.set(index, names)
  return names
}

function listNames({ title, path, language }: PageRecord): Set<string>[] {
  const lastPart = path.slice(path.lastIndexOf('/') + 1)
  return [title, lastPart].map(
    (name) => new Set(analyzeQuery(name, language).flatMap(({ wholes, parts }) => [...wholes, ...parts])),
  )
}
