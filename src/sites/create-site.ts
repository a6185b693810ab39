import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { SiteCreate } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { enqueueIndexRun, type IndexRun } from '../store/index-runs.ts'
import { getProject } from '../store/projects.ts'
import { insertSite, listSites, type Site } from '../store/sites.ts'
import type { Store } from '../store/store.ts'
import { checkSourceLocation } from './check-source-location.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface CreateSiteDeps {
  store: Store
  clock: Clock
  ids: IdSource
  secrets: SiteSecrets
  /** The organization that the maker acts for. */
  organizationId: string
}

/**
 * Makes a site and queues its first sync.
 *
 * @throws {AppError} `not_found` for an unknown project, `conflict` for a slug or host name that is taken,
 *   `invalid_request` for a source that cannot be.
 */
export async function createSite(deps: CreateSiteDeps, input: SiteCreate): Promise<Site> {
  const { store, clock, ids } = deps
  const project = await getProject(store.durable, input.projectId)
  if (project?.organizationId !== deps.organizationId) {
    throw new AppError('not_found', `There is no project ${input.projectId}. Leave projectId out for the default one.`)
  }
  checkSourceLocation(input.source)
  const id = ids.prefixed('site')
  const site: Site = {
    id,
    projectId: input.projectId,
    slug: input.slug,
    name: input.name,
    hostnames: input.hostnames,
    baseUrl: input.url,
    source: input.source,
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

type SyncDeps = Pick<CreateSiteDeps, 'store' | 'clock' | 'ids'>

/** Most sites that one process looks at when it starts. */
const sitesMax = 10_000

/** Queues a sync of every site, for a process that starts. */
export async function requestSyncs(deps: SyncDeps): Promise<void> {
  const { items } = await listSites(deps.store.durable, { limit: sitesMax })
  for (const { id } of items) await requestSync(deps, id, 'server-started')
}

/** Queues a sync; one that is queued already serves as well. */
export function requestSync({ store, clock, ids }: SyncDeps, siteId: string, cause: string): Promise<IndexRun> {
  return enqueueIndexRun(store.durable, { id: ids.prefixed('run'), siteId, cause, createdAt: clock.now() })
}
