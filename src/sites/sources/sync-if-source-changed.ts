import { type Mirrors } from '../../git/remotes/mirrors.ts'
import { readRepositoryTip } from '../../git/trees/commit-tree.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { getCurrentIndexGeneration } from '../../store/sites/index-generations.ts'
import { type IndexRun, isRebuild, listIndexRuns } from '../../store/sites/index-runs.ts'
import type { Site } from '../../store/sites/sites.ts'
import { type BuiltinSourceDeps, resolveBuiltinSource } from './builtin-source.ts'
import { type CreateSiteDeps, requestSync } from '../create-site.ts'
import { joinSubdirectory } from './open-source-tree.ts'
import { openRemoteSource, type RemoteSourceDeps } from './remote-source.ts'

export interface SourceChangeDeps extends Omit<CreateSiteDeps, 'organizationId'>, BuiltinSourceDeps, RemoteSourceDeps {
  mirrors: Mirrors
}

/**
 * Checks whether a site's source has changed since it was indexed, and queues a sync if so. Cheap if it has not: a
 * remote repository is asked for one id, one on this machine is read for it, a folder is listed. A published site
 * cannot be checked without crawling it, so its sync is always queued and ends early if the pages are unchanged.
 *
 * A source that failed to index is not retried until it changes.
 *
 * @returns Whether a sync is queued now.
 * @throws {Error} with a message, when the source cannot be checked.
 */
export async function syncIfSourceChanged(deps: SourceChangeDeps, site: Site, signal: AbortSignal): Promise<boolean> {
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
  // A rebuild that failed before it saw the source is still pending.
  if (last?.state === 'failed' && isRebuild(last)) return last.cause
  return revision === indexed ? null : 'source-changed'
}

async function readRevision(deps: SourceChangeDeps, site: Site, signal: AbortSignal): Promise<string> {
  const { mirrors } = deps
  const source = await resolveBuiltinSource(deps, site.source, signal)
  const remote = await openRemoteSource(deps, site, signal)
  if (remote !== null) return (await mirrors.findTip(remote, signal)).revision
  if (source.kind === 'git') return readRepositoryTip({ repository: source.location, ref: source.ref }, signal)
  return (await openFolderTree(joinSubdirectory(source), { signal })).revision
}
