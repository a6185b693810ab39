import { analyzeQuery } from '../../base/text-analysis/analyze-text.ts'
import type { IndexFile, PageRecord } from '../index-file/index-file.ts'

/** A title, or the last part of a path. */
export interface PageName {
  page: number
  /** Number of different terms in it, without stop words unless it has only these. */
  termCount: number
}

/** By term: the names that contain it. */
export type PageNames = ReadonlyMap<string, readonly PageName[]>

const namesByIndex = new WeakMap<IndexFile, PageNames>()

/** Analysed on the first search: names are in memory anyway, and some thousand of them take milliseconds. */
export function getPageNames(index: IndexFile): PageNames {
  const known = namesByIndex.get(index)
  if (known) return known
  const names = new Map<string, PageName[]>()
  index.pages.forEach((page, number) => {
    for (const terms of listNames(page)) {
      const name = { page: number, termCount: terms.size }
      for (const term of terms) addTo(names, term, name)
    }
  })
  namesByIndex.set(index, names)
  return names
}

function listNames({ title, path, language }: PageRecord): Set<string>[] {
  const lastPart = path.slice(path.lastIndexOf('/') + 1)
  return [title, lastPart].map(
    (name) => new Set(analyzeQuery(name, language).flatMap(({ wholes, parts }) => [...wholes, ...parts])),
  )
}

function addTo(names: Map<string, PageName[]>, term: string, name: PageName): void {
  const known = names.get(term)
  if (known) known.push(name)
  else names.set(term, [name])
}
