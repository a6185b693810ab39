import { analyzeQuery } from '../../base/text-analysis/analyze-text.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { isInEdition } from '../ranking/page-access.ts'
import { getPageNames } from '../ranking/page-names.ts'
import { listPlaces } from '../search-index-file.ts'
import type { NearPage, Reader } from '../search-query.ts'
import { countFrame, nameOf } from './asked-path.ts'
import { measureTypos } from './measure-typos.ts'
import { collectLetters, getPageAddresses } from './page-addresses.ts'
import { listRelatedWords } from './related-words.ts'

const nearPagesMax = 5
/** A page that is not like the address in any other way is only named if the search is sure of it. */
const nearScoreMin = 0.34
const searchedMax = 10
const wordsMax = 12
const typosMax = 2
/** Related words are guesses. */
const relatedFactor = 0.75
const headingFactor = 0.75
const clearScore = 0.9
/** Words in more passages than this say little about the intended page, and cost most to search for. */
const commonShareMax = 0.1
const rareWordsMax = 4

export interface NearPagesInput {
  /** Segments of the address; see `readAskedPath`. */
  segments: readonly string[]
  reader: Reader
  isAllowed: (page: number) => boolean
}

/** The pages that an address probably means, likeliest first: by address, title, related words and search. */
export function listNearPages(index: IndexFile, { segments, reader, isAllowed }: NearPagesInput): NearPage[] {
  const bare = segments.slice(countFrame(segments))
  if (bare.length === 0) return []
  const scores = new Map<number, number>()
  const note = (page: number, score: number) => {
    if (score > (scores.get(page) ?? 0) && isAllowed(page)) scores.set(page, score)
  }
  scoreSpelling(index, bare, note)
  scoreWords(index, bare, note)
  scoreHeadings(index, bare, note)
  // The search costs more than all else, and cannot outdo a name that is all but the same.
  const isClear = [...scores.values()].some((score) => score >= clearScore)
  const searched = isClear ? new Map<number, number>() : scoreBySearch(index, bare, reader)
  for (const [page, score] of searched) note(page, score)
  const total = (page: number, score: number) =>
    score + (searched.get(page) ?? 0) / 4 + measurePlace(index, page, segments) / 4 + measureEdition(index, page)
  const ranked = [...scores]
    .filter(([, score]) => score >= nearScoreMin)
    .map(([page, score]) => ({ page, score: total(page, score) }))
    .toSorted((one, other) => other.score - one.score || one.page - other.page)
  return toNearPages(
    index,
    ranked.map(({ page }) => page),
  )
}

type Note = (page: number, score: number) => void

/** Pages whose last part or title is spelled like that of the address. */
function scoreSpelling(index: IndexFile, segments: readonly string[], note: Note): void {
  const asked = segments
    .slice(-2)
    .map((segment) => ({ name: nameOf(segment), letters: collectLetters(nameOf(segment)) }))
  for (const { name, letters, pages } of getPageAddresses(index).spellings) {
    for (const [place, one] of asked.entries()) {
      if (countBits(letters ^ one.letters) > 2 * typosMax) continue
      const likeness = compareNames(one.name, name)
      // The last segment says most; the one before may be the page, and the last its section.
      const weight = place === asked.length - 1 ? 1 : 0.8
      if (likeness > 0) for (const page of pages) note(page, likeness * weight)
    }
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

function compareNames(asked: string, name: string): number {
  if (asked === name) return 1
  const longer = Math.max(asked.length, name.length)
  if (longer < 4 || Math.abs(asked.length - name.length) > typosMax) return 0
  const typos = measureTypos(asked, name, longer < 8 ? 1 : typosMax)
  return typos > typosMax ? 0 : 1 - typos / Math.max(6, longer)
}

/** Pages with a section of this name, which says the less the more pages have one. */
function scoreHeadings(index: IndexFile, segments: readonly string[], note: Note): void {
  const pages = getPageAddresses(index).byHeading.get(nameOf(segments.at(-1) ?? '')) ?? []
  for (const page of pages) note(page, Math.max(nearScoreMin, headingFactor - pages.length / 20))
}

/** Pages that have words of the address, or related ones, in their last part or title; rare words count most. */
function scoreWords(index: IndexFile, segments: readonly string[], note: Note): void {
  const names = getPageNames(index).byTerm
  const rarity = (term: string) => Math.log(1 + index.pages.length / (names.get(term)?.length ?? 1))
  for (const [place, segment] of segments.toReversed().slice(0, 2).entries()) {
    const asked = listTerms(segment)
    const total = asked.reduce((sum, { term, weight }) => sum + (weight === 1 ? rarity(term) : 0), 0)
    const shared = new Map<object, { page: number; termCount: number; weight: number; count: number }>()
    for (const { term, weight } of asked) {
      for (const name of names.get(term) ?? []) {
        const sum = shared.get(name) ?? { ...name, weight: 0, count: 0 }
        shared.set(name, { ...sum, weight: sum.weight + rarity(term) * weight, count: sum.count + weight })
      }
    }
    for (const { page, termCount, weight, count } of shared.values()) {
      const covered = Math.min(1, weight / (total || 1))
      note(page, (0.95 - place * 0.25) * Math.sqrt(covered * Math.min(1, count / termCount)))
    }
  }
}

function listTerms(segment: string): { term: string; weight: number }[] {
  const words = splitWords(segment)
  const given = new Set(toTerms(words.join(' ')))
  const related = listRelatedWords(words).flatMap(toTerms)
  return [
    ...Array.from(given, (term) => ({ term, weight: 1 })),
    ...Array.from(new Set(related.filter((term) => !given.has(term))), (term) => ({ term, weight: relatedFactor })),
  ]
}

function splitWords(segment: string): string[] {
  return segment
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
}

const toTerms = (text: string) =>
  analyzeQuery(text, null, wordsMax).flatMap(({ wholes, parts }) => [...wholes, ...parts])

/** By page, up to 0.6: what the site's own search finds for the words of the address. */
function scoreBySearch(index: IndexFile, segments: readonly string[], reader: Reader): Map<number, number> {
  const text = chooseRareWords(index, segments.slice(-3).flatMap(splitWords).slice(-wordsMax)).join(' ')
  if (text === '') return new Map()
  const passages = listPlaces(index, { text, limit: searchedMax, filter: {}, ...reader, scoreThreshold: 0.25 })
  const paths = [...new Set(passages.map(({ path }) => path))]
  const best = new Map<string, number>()
  for (const { path, score } of passages) best.set(path, Math.max(best.get(path) ?? 0, score))
  const pages = paths.map((path) => [path, index.pagesByPath.get(path)?.[0]] as const)
  return new Map(
    pages.flatMap(([path, page], rank) => {
      return page === undefined
        ? []
        : [[page, (0.6 * Math.min(1, (best.get(path) ?? 0) / 0.7)) / (1 + rank / 8)] as const]
    }),
  )
}

/** In their order. Words that no page has are left out. */
function chooseRareWords(index: IndexFile, words: readonly string[]): string[] {
  const countOf = (word: string) => Math.max(0, ...toTerms(word).map((term) => index.getTerm(term)?.chunkCount ?? 0))
  const counted = words.map((word, at) => ({ word, at, count: countOf(word) })).filter(({ count }) => count > 0)
  const rare = counted.filter(({ count }) => count <= commonShareMax * index.header.chunkCount)
  return (rare.length === 0 ? counted : rare)
    .toSorted((one, other) => one.count - other.count)
    .slice(0, rareWordsMax)
    .toSorted((one, other) => one.at - other.at)
    .map(({ word }) => word)
}

/** The share of the address before its last segment that the page's address has too, 0 to 1. */
function measurePlace(index: IndexFile, page: number, segments: readonly string[]): number {
  const asked = segments.slice(0, -1).map(nameOf)
  const parts = getPageAddresses(index).names[page] ?? []
  return asked.length === 0 ? 0 : asked.filter((name) => parts.includes(name)).length / asked.length
}

function measureEdition({ pages, header }: IndexFile, page: number): number {
  const edition = { version: header.defaultVersion, language: header.defaultLanguage }
  return pages[page] !== undefined && isInEdition(pages[page], edition) ? 0.15 : 0
}

function toNearPages({ pages }: IndexFile, ranked: readonly number[]): NearPage[] {
  const near = new Map<string, NearPage>()
  for (const page of ranked) {
    const record = pages[page]
    if (record === undefined || near.has(record.path)) continue
    near.set(record.path, { path: record.path, title: record.title, description: record.description })
    if (near.size === nearPagesMax) break
  }
  return [...near.values()]
}
