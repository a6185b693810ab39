import { hourMs } from '../base/durations.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mirrors } from '../git/remotes/mirrors.ts'
import { listVectorCacheFiles } from '../search/vectors/vector-cache.ts'
import { nameVectorFile } from '../search/vectors/vector-file-format.ts'
import { listIndexFiles } from '../store/sites/index-generations.ts'
import { listSites, type Site } from '../store/sites/sites.ts'
import { listFactsFiles } from './drift/facts-file.ts'
import { crawlFilesOf } from './sources/crawl-source.ts'
import { listContextRepositories } from '../store/sites/context-repositories.ts'
import { listContextMirrorOwners } from './context-repositories.ts'
import { mirrorOwnersOf } from './sources/remote-source.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'

export interface RemoveLeftoversDeps extends StoreDeps {
  mirrors: Mirrors
  /** Folder of the index files. */
  indexFolder: string
  /** Folder of the parsed pages, one file per site. */
  parsedFolder: string
  /** Folder of the cached vectors, one file per site. */
  vectorFolder: string
  /** Folder of the stored crawls. */
  crawlFolder: string
  /** Folder of the files of facts. */
  driftFolder: string
}

/** A run writes its file before any generation refers to it; no run takes this long. */
const unnamedKeptMs = hourMs

/**
 * Deletes unreferenced files: those of deleted sites and of killed runs, and mirrors that no site is read from.
 *
 * @returns How many files were deleted.
 */
export async function removeLeftovers(deps: RemoveLeftoversDeps): Promise<number> {
  const { store, indexFolder, parsedFolder } = deps
  const sites = await listAllSites(store)
  const removed =
    (await removeUnnamed(deps, indexFolder, () => listIndexNames(store))) +
    (await removeUnnamed(deps, parsedFolder, async () => sites.map(({ id }) => id))) +
    (await removeUnnamed(deps, deps.vectorFolder, async () => sites.flatMap(({ id }) => listVectorCacheFiles(id)))) +
    (await removeUnnamed(deps, deps.crawlFolder, async () => sites.flatMap((site) => listCrawlNames(site)))) +
    (await removeUnnamed(deps, deps.driftFolder, async () => sites.flatMap(({ id }) => listFactsFiles(id))))
  await removeUnusedMirrors(deps, sites)
  return removed
}

/** Deletes the mirrors of repositories that are neither a site's source nor a context repository. */
export async function removeUnusedMirrors(
  { store, mirrors }: Pick<RemoveLeftoversDeps, 'store' | 'mirrors'>,
  known?: readonly Site[],
): Promise<void> {
  const sites = known ?? (await listAllSites(store))
  const contexts = await listContextRepositories(store.durable)
  await mirrors.removeUnused([...sites.flatMap(mirrorOwnersOf), ...contexts.flatMap(listContextMirrorOwners)])
}

/** Each index file and its possible vector file. */
async function listIndexNames(store: Store): Promise<string[]> {
  return (await listIndexFiles(store.durable)).flatMap((file) => [file, nameVectorFile(file)])
}

function listCrawlNames({ id, source }: Site): string[] {
  return source.kind === 'crawl' ? Object.values(crawlFilesOf({ crawlFolder: '' }, id)) : []
}

async function removeUnnamed(
  { clock }: RemoveLeftoversDeps,
  folder: string,
  listNamed: () => Promise<string[]>,
): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  // Listed after the folder, so that a file registered in between is included.
  const named = new Set(await listNamed())
  let removed = 0
  for (const name of names.filter((name) => !named.has(name))) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found === null || !found.isFile() || clock.now() - found.mtimeMs < unnamedKeptMs) continue
    await rm(file, { force: true })
    removed++
  }
  return removed
}

async function listAllSites(store: Store): Promise<Site[]> {
  const sites: Site[] = []
  let cursor: string | null = null
  do {
    const page: { items: Site[]; nextCursor: string | null } = await listSites(store.durable, { limit: 500, cursor })
    sites.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return sites
}
