import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTestInput } from '../../test/support/search-test-site.ts'
import { openFolderTree } from '../../src/content/trees/folder-tree.ts'
import { readSite } from '../../src/content/read-site.ts'
import { findAddress } from '../../src/search/addresses/find-address.ts'
import { buildIndexFile } from '../../src/search/index-file/build-index-file.ts'
import { IndexFile } from '../../src/search/index-file/index-file.ts'
import { searchIndexFile } from '../../src/search/search-index-file.ts'
import { mutateAddress, nonsense } from './mutate-address.ts'

const pagesWanted = 5_000
const addressesTried = 400
const anybody = { readerGroups: [], isSignedIn: false }

/** What a wrong address costs on a site of 5,000 pages, beside a search there. @param folder Of a site, to multiply. */
export async function benchAddressCost(folder: string): Promise<void> {
  const { pages } = await readSite(await openFolderTree(folder))
  const shown = pages.filter(({ isPublic }) => isPublic)
  const copies = Array.from({ length: pagesWanted }, (_, at) => {
    const page = shown[at % shown.length] as (typeof shown)[number] // The remainder is below the length.
    const copy = Math.floor(at / shown.length)
    const name = (text: string) => (copy === 0 ? text : text.replace(/([a-z]{3})([a-z]+)$/i, `$2${copy}$1`))
    const { path, title, markdown } = page
    return { ...page, path: copy === 0 ? path : `/part-${copy}${name(path)}`, title: name(title), markdown }
  })
  const place = mkdtempSync(join(tmpdir(), 'docent-bench-'))
  const file = join(place, 'site.idx')
  buildIndexFile(file, makeTestInput(copies))
  const index = new IndexFile(file)
  const step = Math.floor(copies.length / 60)
  const wrong = copies
    .filter((_, at) => at % step === 0)
    .flatMap(({ path, title }, at) => mutateAddress({ path, title, headings: [] }, at))
    .map(({ path }) => path)
  const tried = [...nonsense, ...wrong.filter((_, at) => at % Math.ceil(wrong.length / addressesTried) === 0)]
  const lost = tried.filter((path) => findAddress(index, path, anybody).kind === 'unknown')
  print('wrong address', lost, (path) => findAddress(index, path, anybody))
  print('search', lost, (path) => {
    const text = path.slice(0, 500).replace(/[^a-z]+/gi, ' ')
    return searchIndexFile(index, { text, limit: 10, filter: {}, ...anybody })
  })
  index.close()
  rmSync(place, { recursive: true })
}

function print(what: string, paths: readonly string[], work: (path: string) => unknown): void {
  for (const path of paths.slice(0, 40)) work(path)
  const costs = paths
    .map((path) => {
      const before = process.cpuUsage()
      work(path)
      const { user, system } = process.cpuUsage(before)
      return { path, ms: (user + system) / 1_000 }
    })
    .toSorted((one, other) => one.ms - other.ms)
  const at = (share: number) => costs[Math.min(costs.length - 1, Math.floor(costs.length * share))]?.ms.toFixed(1)
  console.log(
    `  ${what.padEnd(16)} CPU ms: median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} (${costs.at(-1)?.path.slice(0, 60)})`,
  )
}
