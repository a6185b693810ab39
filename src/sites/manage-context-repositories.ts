import type { IdSource } from '../base/ids.ts'
import { normalizeForgeSource } from '../codehost/forge/forge-location.ts'
import { AppError } from '../contract/app-error.ts'
import type { ContextRepositoryCreate, ContextRepositoryUpdate } from '../contract/context-repositories.ts'
import { listAutomationsOfContext, resetWatchers } from '../store/agent/automations.ts'
import {
  contextRepositoriesMax,
  type ContextSource,
  type ContextRepository,
  deleteContextRepository,
  insertContextRepository,
  listContextRepositories,
  updateContextRepository,
} from '../store/sites/context-repositories.ts'
import type { Site } from '../store/sites/sites.ts'
import { queueDriftChecks } from '../store/drift/drift-checks.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { requireOwnRepository } from './sources/builtin-source.ts'
import { checkSourceLocation } from './sources/check-source-location.ts'
import type { ContextRepositories } from './context-repositories.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface ManageContextsDeps extends StoreDeps {
  ids: IdSource
  secrets: SiteSecrets
  contexts: ContextRepositories
}

/** A stored context repository, and the tip of its branch when it was checked. */
export interface CheckedContext {
  context: ContextRepository
  commit: string
}

interface OwnedSite {
  site: Site
  organizationId: string
}

/**
 * Adds a context repository to a site after checking it.
 *
 * @throws {AppError} `conflict` if the name is taken or the site has too many, `repository_not_found`, or the reason
 *   why it cannot be read; nothing is stored then.
 */
export async function addContextRepository(
  deps: ManageContextsDeps,
  { site, organizationId, input }: OwnedSite & { input: ContextRepositoryCreate },
  signal: AbortSignal,
): Promise<CheckedContext> {
  const { store, clock, ids, secrets } = deps
  requireFilesFor(input.role, site)
  const existing = await listContextRepositories(store.durable, { siteId: site.id })
  if (existing.length >= contextRepositoriesMax) {
    throw new AppError(
      'conflict',
      `A site has at most ${contextRepositoriesMax} context repositories. Remove one first.`,
    )
  }
  const taken = new AppError(
    'conflict',
    `The site already has a context repository named ${input.name}. Choose another name.`,
  )
  if (existing.some(({ name }) => name === input.name)) throw taken
  const id = ids.prefixed('context')
  const context: ContextRepository = {
    id,
    siteId: site.id,
    name: input.name,
    source: await readSource(store, input.source, organizationId),
    role: input.role,
    credentialSealed: input.credential ? secrets.sealContextCredential(id, input.credential) : null,
    createdAt: clock.now(),
  }
  const commit = await deps.contexts.check(context, signal)
  if (!(await insertContextRepository(store.durable, context))) throw taken
  await queueDriftChecks(store.durable, { siteIds: [site.id], contextIds: [] }, clock.now())
  return { context, commit }
}

/** Changes the location and the credential of a context repository after checking them. @throws as above. */
export async function changeContextRepository(
  deps: ManageContextsDeps,
  { site, before, organizationId, update }: OwnedSite & { before: ContextRepository; update: ContextRepositoryUpdate },
  signal: AbortSignal,
): Promise<CheckedContext> {
  const { store, clock, secrets } = deps
  const { id } = before
  const source = update.source === undefined ? before.source : await readSource(store, update.source, organizationId)
  // A credential belongs to one address, so changing the address must not send it elsewhere.
  const kept = source.location === before.source.location ? before.credentialSealed : null
  const { credential } = update
  const given = credential && secrets.sealContextCredential(id, credential)
  const { role = before.role } = update
  requireFilesFor(role, site)
  const context = { ...before, source, role, credentialSealed: given === undefined ? kept : given }
  const commit = await deps.contexts.check(context, signal)
  await updateContextRepository(store.durable, context)
  await queueDriftChecks(store.durable, { siteIds: [before.siteId], contextIds: [] }, clock.now())
  // Their last seen commit is not on this branch.
  if (update.source !== undefined) await resetWatchers(store.durable, { siteIds: [], contextIds: [id] }, clock.now())
  return { context, commit }
}

/** @throws {AppError} `conflict` if an automation watches it. */
export async function removeContextRepository(
  { store, clock }: Pick<ManageContextsDeps, 'store' | 'clock'>,
  { id, siteId }: Pick<ContextRepository, 'id' | 'siteId'>,
): Promise<void> {
  const [automation] = await listAutomationsOfContext(store.durable, id)
  if (automation !== undefined) {
    const message = `The automation "${automation.name}" runs when this repository changes. Change or remove it first.`
    throw new AppError('conflict', message)
  }
  await deleteContextRepository(store.durable, id)
  await queueDriftChecks(store.durable, { siteIds: [siteId], contextIds: [] }, clock.now())
}

/** Findings about a product are places in files, which a crawled site does not have. */
function requireFilesFor(role: ContextRepository['role'], site: Site): void {
  if (role !== 'product' || site.source.kind !== 'crawl') return
  throw new AppError(
    'invalid_request',
    'A crawled site has no files that a product could be compared with. Connect its repository instead, or add this one as a reference.',
  )
}

async function readSource(store: Store, given: ContextSource, organizationId: string): Promise<ContextSource> {
  const source = normalizeForgeSource(given)
  checkSourceLocation(source)
  await requireOwnRepository(store, source, organizationId)
  return source
}
