import { type Mirrors } from '../../git/remotes/mirrors.ts'
import { readRepositoryTip } from '../../git/trees/commit-tree.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { getCurrentIndexGeneration } from '../../store/sites/index-generations.ts'
import { type IndexRun, isRebuild, listIndexRuns } from '../../store/sites/index-runs.ts'
import type { Site } from '../../store/sites/sites.ts'
import { type BuiltinSourceDeps, placeBuiltinSource } from './builtin-source.ts'
import { type CreateSiteDeps, requestSync } from '../create-site.ts'
import { joinSubdirectory } from './open-source-tree.ts'
import { openRemoteSource, type RemoteSourceDeps } from './remote-source.ts'

export interface CheckSourceDeps extends Omit<CreateSiteDeps, 'organizationId'>, BuiltinSourceDeps, RemoteSourceDeps {
  mirrors: Mirrors
}

/**
 * Looks whether a site's source has changed since it was indexed, and queues a sync then. Cheap when it has not: a
 * repository on the network is asked for one id, one on this machine is read for it, a folder is listed. A published
 * site tells nothing without being crawled, so that its sync is queued in any case, and ends where the pages are the same.
 *
 * A source that failed to index as it is now is not tried again until it changes.
 *
 * @returns Whether a sync is queued now.
 * @throws {Error} in a sentence, when the source cannot be looked at.
 */
export async function checkSource(deps: CheckSourceDeps, site: Site, signal: AbortSignal): Promise<boolean> {
  const db = deps.store.durable
  const last = (await listIndexRuns(db, site.id, { limit: 1 })).items[0]
  if (last?.state === 'queued') return true
  if (last?.state === 'running') return false
  if (site.source.kind === 'crawl') {
    await requestSync(deps, site.id, 'crawl-due')
    return true
  }
  const revision = await readRevision(deps, site, signal)
  const generation = await getCurrentIndexGeneration(db, site.id)
  const cause = chooseCause(last, revision, generation?.revision ?? null)
  if (cause === null) return false
  await requestSync(deps, site.id, cause)
  return true
}

function chooseCause(last: IndexRun | undefined, revision: string, indexed: string | null): string | null {
  if (last?.state === 'failed' && last.revision === revision) return null
  // A rebuild that did not get to see the source is still owed.
  if (last?.state === 'failed' && isRebuild(last)) return last.cause
  return revision === indexed ? null : 'source-changed'
}

async function readRevision(deps: CheckSourceDeps, site: Site, signal: AbortSignal): Promise<string> {
  const { mirrors } = deps
  const source = await placeBuiltinSource(deps, site.source, signal)
  const remote = await openRemoteSource(deps, site, signal)
  if (remote !== null) return (await mirrors.findTip(remote, signal)).revision
  if (source.kind === 'git') return readRepositoryTip({ repository: source.location, ref: source.ref }, signal)
  return (await openFolderTree(joinSubdirectory(source), { signal })).revision
}
