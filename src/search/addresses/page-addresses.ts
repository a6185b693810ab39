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
}

const addressesByIndex = new WeakMap<IndexFile, PageAddresses>()

/** Made at the first wrong address: some milliseconds for thousands of pages. */
export function getPageAddresses(index: IndexFile): PageAddresses {
  const known = addressesByIndex.get(index)
  if (known !== undefined) return known
  const segments = index.pages.map(({ path }) => path.split('/').filter((segment) => segment !== ''))
  const names = segments.map((parts) => parts.map(nameOf))
  const group = (keyOf: (page: number) => string) => Map.groupBy(names.keys(), keyOf)
  const addresses = {
    names,
    titles: index.pages.map(({ title }) => nameOf(title)),
    byNames: group((page) => names[page]?.join('/') ?? ''),
    byBareNames: group((page) => names[page]?.slice(countFrame(segments[page] ?? [])).join('/') ?? ''),
    byLastName: group((page) => names[page]?.at(-1) ?? ''),
  }
  addressesByIndex.set(index, addresses)
  return addresses
}
