import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import { normaliseForgeSource } from '../codehost/forge/forge-location.ts'
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
import type { Store } from '../store/store.ts'
import { requireOwnRepository } from './sources/builtin-source.ts'
import { checkSourceLocation } from './sources/check-source-location.ts'
import type { ContextRepositories } from './context-repositories.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface ManageContextsDeps {
  store: Store
  clock: Clock
  ids: IdSource
  secrets: SiteSecrets
  contexts: ContextRepositories
}

/** A context repository as it was stored, and what its branch named when it was tried out. */
export interface CheckedContext {
  context: ContextRepository
  commit: string
}

interface OwnedSite {
  site: Site
  organizationId: string
}

/**
 * Adds a context repository to a site, after it was tried out.
 *
 * @throws {AppError} `conflict` for a name that is taken and for one too many, `repository_not_found`, and the reason in a
 *   sentence where it cannot be read; nothing was stored then.
 */
export async function addContextRepository(
  deps: ManageContextsDeps,
  { site, organizationId, input }: OwnedSite & { input: ContextRepositoryCreate },
  signal: AbortSignal,
): Promise<CheckedContext> {
  const { store, clock, ids, secrets } = deps
  const existing = await listContextRepositories(store.durable, { siteId: site.id })
  if (existing.length >= contextRepositoriesMax) {
    throw new AppError(
      'conflict',
      `A site has at most ${contextRepositoriesMax} context repositories. Remove one first.`,
    )
  }
  const taken = new AppError(
    'conflict',
    `The site has a context repository ${input.name} already. Choose another name.`,
  )
  if (existing.some(({ name }) => name === input.name)) throw taken
  const id = ids.prefixed('context')
  const context: ContextRepository = {
    id,
    siteId: site.id,
    name: input.name,
    source: await readSource(store, input.source, organizationId),
    credentialSealed: input.credential ? secrets.sealContextCredential(id, input.credential) : null,
    createdAt: clock.now(),
  }
  const commit = await deps.contexts.check(context, signal)
  if (!(await insertContextRepository(store.durable, context))) throw taken
  return { context, commit }
}

/** Changes where a context repository is read from and what opens it, after that was tried out. @throws as above. */
export async function changeContextRepository(
  deps: ManageContextsDeps,
  {
    before,
    organizationId,
    update,
  }: { before: ContextRepository; organizationId: string; update: ContextRepositoryUpdate },
  signal: AbortSignal,
): Promise<CheckedContext> {
  const { store, clock, secrets } = deps
  const { id } = before
  const source = update.source === undefined ? before.source : await readSource(store, update.source, organizationId)
  // A credential is for the place that it was given for, so that changing the address does not send it elsewhere.
  const kept = source.location === before.source.location ? before.credentialSealed : null
  const { credential } = update
  const given = credential && secrets.sealContextCredential(id, credential)
  const context = { ...before, source, credentialSealed: given === undefined ? kept : given }
  const commit = await deps.contexts.check(context, signal)
  await updateContextRepository(store.durable, context)
  // What they saw last is not of this branch.
  if (update.source !== undefined) await resetWatchers(store.durable, { siteIds: [], contextIds: [id] }, clock.now())
  return { context, commit }
}

/** @throws {AppError} `conflict` where an automation watches it. */
export async function removeContextRepository({ store }: Pick<ManageContextsDeps, 'store'>, id: string): Promise<void> {
  const [automation] = await listAutomationsOfContext(store.durable, id)
  if (automation !== undefined) {
    const message = `The automation "${automation.name}" runs when this repository changes. Change or remove it first.`
    throw new AppError('conflict', message)
  }
  await deleteContextRepository(store.durable, id)
}

async function readSource(store: Store, given: ContextSource, organizationId: string): Promise<ContextSource> {
  const source = normaliseForgeSource(given)
  checkSourceLocation(source)
  await requireOwnRepository(store, source, organizationId)
  return source
}
