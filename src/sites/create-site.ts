import type { IdSource } from '../base/ids.ts'
import { normalizeForgeSource } from '../codehost/forge/forge-location.ts'
import type { SiteCreate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { getCurrentIndexGeneration } from '../store/sites/index-generations.ts'
import { enqueueIndexRun, type IndexRun, listIndexRuns } from '../store/sites/index-runs.ts'
import { getProject } from '../store/accounts/projects.ts'
import { triggerSourceCheck } from '../store/sites/source-checks.ts'
import { insertSite, listSites, type Site, type SiteSource } from '../store/sites/sites.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { requireOwnRepository } from './sources/builtin-source.ts'
import { refuseUnusedCredential, checkSourceLocation } from './sources/check-source-location.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface CreateSiteDeps extends StoreDeps {
  ids: IdSource
  secrets: SiteSecrets
  /** The caller's organization. */
  organizationId: string
}

/**
 * Creates a site and queues its first sync.
 *
 * @throws {AppError} `not_found` for an unknown project, `conflict` for a taken slug or host name,
 *   `repository_not_found`, `invalid_request` for an impossible source.
 */
export async function createSite(deps: CreateSiteDeps, input: SiteCreate): Promise<Site> {
  const { store, clock, ids } = deps
  const project = await getProject(store.durable, input.projectId)
  if (project?.organizationId !== deps.organizationId) {
    throw new AppError('not_found', `There is no project ${input.projectId}. Leave projectId out for the default one.`)
  }
  const source = normalizeForgeSource(input.source)
  checkSourceLocation(source)
  refuseUnusedCredential(source, input.credential)
  await requireOwnRepository(store, source, deps.organizationId)
  const id = ids.prefixed('site')
  const site: Site = {
    id,
    projectId: input.projectId,
    slug: input.slug,
    name: input.name,
    hostnames: input.hostnames,
    baseUrl: input.url ?? ownUrl(source),
    source,
    settings: {},
    identitySecretSealed: null,
    sourceCredentialSealed: input.credential ? deps.secrets.sealCredential(id, input.credential) : null,
    createdAt: clock.now(),
  }
  const result = await insertSite(store.durable, site)
  if (!result.written) {
    throw new AppError('conflict', `Another site has the ${result.taken} ${result.value}. Choose another one.`)
  }
  await requestSync(deps, id, 'site-created')
  return site
}

/** A crawled site is published where it was crawled; the address of any other is known only if its owner gives it. */
function ownUrl({ kind, location }: SiteSource): string | null {
  return kind === 'crawl' ? new URL(location).origin : null
}

type SyncDeps = Pick<CreateSiteDeps, 'store' | 'clock' | 'ids'>

/** Most sites that a process checks at startup. */
const sitesMax = 10_000

/**
 * Brings every site up to date when a process starts: sites that were never indexed or failed last are synced, all
 * other sources are checked for changes. A crawl is costly for someone else's server, so crawled sites wait for their
 * schedule.
 */
export async function resumeSyncs(deps: SyncDeps): Promise<void> {
  const db = deps.store.durable
  const { items } = await listSites(db, { limit: sitesMax })
  for (const { id, source } of items) {
    const isServed = (await getCurrentIndexGeneration(db, id)) !== null
    const last = (await listIndexRuns(db, id, { limit: 1 })).items[0]
    if (isServed && source.kind === 'crawl') continue
    if (isServed && last?.state === 'succeeded') await triggerSourceCheck(db, id)
    else await requestSync(deps, id, 'server-started')
  }
}

/** Queues a sync unless one is queued already. */
export function requestSync({ store, clock, ids }: SyncDeps, siteId: string, cause: string): Promise<IndexRun> {
  return enqueueIndexRun(store.durable, { id: ids.prefixed('run'), siteId, cause, createdAt: clock.now() })
}
