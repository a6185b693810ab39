import type { IndexFile } from '../index-file/index-file.ts'
import { countFrame, nameOf } from './asked-path.ts'

/** The addresses of an index in the forms that wrong ones are compared with. */
export interface PageAddresses {
  /** By page: the names of its segments; see `nameOf`. */
  names: readonly (readonly string[])[]
  /** By page: the name of its title. */
  titles: readonly string[]
  /** By all names, joined by slashes. */
  byNames: ReadonlyMap<string, readonly number[]>
  /** Likewise without the first segments that are only a frame. */
  byBareNames: ReadonlyMap<string, readonly number[]>
  byLastName: ReadonlyMap<string, readonly number[]>
  /** Every last name and title once. */
  spellings: readonly Spelling[]
  /** By the names of the headings, without those that too many pages have to tell them apart. */
  byHeading: ReadonlyMap<string, readonly number[]>
}

interface Spelling {
  name: string
  letters: number
  pages: readonly number[]
}

/** If more pages than this share a heading, such as "Usage", it identifies none of them. */
const headingPagesMax = 20

const addressesByIndex = new WeakMap<IndexFile, PageAddresses>()

/** Made at the first wrong address: some milliseconds for thousands of pages. */
export function getPageAddresses(index: IndexFile): PageAddresses {
  const known = addressesByIndex.get(index)
  if (known !== undefined) return known
  const segments = index.pages.map(({ path }) => path.split('/').filter((segment) => segment !== ''))
  const names = segments.map((parts) => parts.map(nameOf))
  const group = (keyOf: (page: number) => string) => Map.groupBy(names.keys(), keyOf)
  const titles = index.pages.map(({ title }) => nameOf(title))
  const addresses = {
    names,
    titles,
    spellings: listSpellings(names, titles),
    byHeading: groupByHeading(index),
    byNames: group((page) => names[page]?.join('/') ?? ''),
    byBareNames: group((page) => names[page]?.slice(countFrame(segments[page] ?? [])).join('/') ?? ''),
    byLastName: group((page) => names[page]?.at(-1) ?? ''),
  }
  addressesByIndex.set(index, addresses)
  return addresses
}

function listSpellings(names: readonly (readonly string[])[], titles: readonly string[]): Spelling[] {
  const pagesByName = Map.groupBy(
    names.flatMap((parts, page) =>
      [...new Set([parts.at(-1) ?? '', titles[page] ?? ''])].map((name) => ({ name, page })),
    ),
    ({ name }) => name,
  )
  return Array.from(pagesByName, ([name, some]) => ({
    name,
    letters: collectLetters(name),
    pages: some.map(({ page }) => page),
  }))
}

/** A set of letters as bits. Names that differ in many letters need no closer comparison. */
export function collectLetters(name: string): number {
  let letters = 0
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31)
  return letters
}

function groupByHeading(index: IndexFile): Map<string, readonly number[]> {
  const pages = new Map<string, Set<number>>()
  for (const { anchor, page } of index.listAnchors()) {
    const name = nameOf(anchor)
    pages.set(name, (pages.get(name) ?? new Set()).add(page))
  }
  return new Map([...pages].filter(([, some]) => some.size <= headingPagesMax).map(([name, some]) => [name, [...some]]))
}
