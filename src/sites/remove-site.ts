import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listVectorCacheFiles } from '../search/vectors/vector-cache.ts'
import { nameVectorFile } from '../search/vectors/vector-file-format.ts'
import { listIndexGenerations } from '../store/sites/index-generations.ts'
import { deleteSite, type Site } from '../store/sites/sites.ts'
import type { Log } from '../telemetry/log.ts'
import { listFactsFiles } from './drift/facts-file.ts'
import { crawlFilesOf } from './sources/crawl-source.ts'
import type { LiveSites } from './live-sites.ts'
import { mirrorOwnersOf } from './sources/remote-source.ts'
import { removeUnusedMirrors, type RemoveLeftoversDeps } from './remove-leftovers.ts'

export interface RemoveSiteDeps extends RemoveLeftoversDeps {
  log: Log
  sites: Pick<LiveSites, 'drop'>
}

/** More generations than a site ever has. */
const generationsMax = 10_000

/**
 * Deletes a site: its rows and, on this machine, its index files and vectors, its parsed pages, its crawl and, unless
 * another site uses it, its mirror. Answers in progress finish on the index that they began on.
 *
 * Files that cannot be removed or are being written are left to `removeLeftovers`, which also covers other machines.
 */
export async function removeSite(deps: RemoveSiteDeps, site: Site): Promise<void> {
  const { store, indexFolder, parsedFolder, vectorFolder, log } = deps
  const generations = await listIndexGenerations(store.durable, site.id, generationsMax)
  await deleteSite(store.durable, site.id)
  deps.sites.drop(site.id)
  const files = [
    ...generations.flatMap(({ file }) => [join(indexFolder, file), join(indexFolder, nameVectorFile(file))]),
    join(parsedFolder, site.id),
    ...listVectorCacheFiles(join(vectorFolder, site.id)),
    ...listFactsFiles(site.id).map((file) => join(deps.driftFolder, file)),
    ...Object.values(crawlFilesOf(deps, site.id)),
  ]
  const isMirrored = mirrorOwnersOf(site).length > 0
  await Promise.all([
    ...files.map((file) => rm(file, { force: true })),
    ...(isMirrored ? [removeUnusedMirrors(deps)] : []),
  ]).catch((error: unknown) => log.warn({ siteId: site.id, error }, 'site-files-not-removed'))
}
