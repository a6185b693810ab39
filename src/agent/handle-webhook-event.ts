import { builtinSource } from '../codehost/builtin/comment-delivery.ts'
import type { WebhookEvent, WebhookRepository } from '../codehost/webhooks/webhook-event.ts'
import { requestSync } from '../sites/create-site.ts'
import { listSitesOfBuiltinRepository } from '../sites/request-syncs-of-branch.ts'
import { findSitesOfRepository, isAddressOf, isSameRepository } from '../sites/sites-of-repository.ts'
import { getCodeHostApp } from '../store/hosting/code-host-apps.ts'
import {
  type ContextRepository,
  listContextRepositories,
  listContextRepositoriesOfOrganization,
} from '../store/sites/context-repositories.ts'
import { queueComparison } from '../store/comparisons/comparisons.ts'
import { queuePullRequestDrift } from '../store/drift/drift-checks.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import type { WebhookDelivery } from '../store/webhooks/webhook-deliveries.ts'
import type { WatchedPlaces } from './automations/trigger-watchers.ts'
import { followComment, type FollowCommentDeps, type WebhookOutcome } from './comments/follow-comment.ts'
import { refreshJobsOfPullRequest } from './jobs/refresh-pull-request.ts'

export interface WebhookHandlerDeps extends FollowCommentDeps {
  /** Wakes the workers for a queued sync. */
  wakeSync(siteId: string): void
  /** Triggers the automations that watch a moved branch. */
  triggerAutomations(places: WatchedPlaces): Promise<void>
}

/**
 * Acts on an event that a host reported. The payload says only where to look, and the host is asked for the current
 * state, so that events may come twice, late or in another order.
 *
 * @throws {AppError} from the host.
 */
export async function handleWebhookEvent(
  deps: WebhookHandlerDeps,
  delivery: WebhookDelivery<WebhookEvent>,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const { event } = delivery
  if (event.type === 'ignored') return { state: 'ignored', outcome: event.reason }
  const contexts = await findContexts(deps, delivery, event.repository)
  const found = await findSites(deps, delivery, event.repository)
  if (typeof found === 'string') {
    if (event.type === 'push') return notifyContexts(deps, contexts, event, found)
    const queued = event.type === 'pull-request-changed' ? await queueProducts(deps, contexts, event.number) : 0
    return queued === 0 ? { state: 'ignored', outcome: found } : { state: 'done', outcome: 'Looks for drift.' }
  }
  switch (event.type) {
    case 'push': {
      const isFollowed = ({ source }: Pick<Site, 'source'>) => followsPush(source, event)
      const following = found.filter(isFollowed)
      await notifyWatchers(deps, { sites: following, contexts: contexts.filter(isFollowed) })
      return syncSites(deps, following, `No site is read from ${event.ref}.`)
    }
    case 'pull-request-changed': {
      for (const site of found) {
        await refreshJobsOfPullRequest(deps, { site, number: event.number }, signal)
        await queueOf(deps, site, String(event.number))
      }
      await queueProducts(deps, contexts, event.number)
      await notifyWatchers(deps, { sites: found, contexts })
      return syncSites(deps, found, 'No site is read from this repository.')
    }
    case 'comment-added': {
      let outcome: WebhookOutcome = { state: 'ignored', outcome: 'No site is read from this repository.' }
      for (const site of found) {
        outcome = await followComment(deps, { site, comment: event }, signal)
        if (outcome.state === 'done') break
      }
      return outcome
    }
    case 'repository-renamed':
      return {
        state: 'ignored',
        outcome: `${event.previousPath} was renamed to ${event.repository.path}. Change the source of the site.`,
      }
  }
}

function queueOf(
  { store, clock, ids }: WebhookHandlerDeps,
  { id: siteId }: Site,
  pullRequestId: string,
): Promise<void> {
  const queued = { id: ids.prefixed('comparison'), siteId, pullRequestId, headCommit: null, now: clock.now() }
  return queueComparison(store.durable, queued)
}

/** @returns How many of the context repositories are products. */
async function queueProducts(
  { store, clock, ids }: Pick<WebhookHandlerDeps, 'store' | 'clock' | 'ids'>,
  contexts: readonly ContextRepository[],
  number: number,
): Promise<number> {
  const products = contexts.filter(({ role }) => role === 'product')
  for (const { id: contextId, siteId } of products) {
    const queued = { siteId, contextId, pullRequestId: String(number), headCommit: null, now: clock.now() }
    await queuePullRequestDrift(store.durable, { id: ids.prefixed('drift'), ...queued })
  }
  return products.length
}

type PushEvent = Extract<WebhookEvent, { type: 'push' }>

/** @returns A sentence if there is none. */
async function findSites(
  { store }: Pick<WebhookHandlerDeps, 'store'>,
  { source, siteId, organizationId }: WebhookDelivery<WebhookEvent>,
  { path }: WebhookRepository,
): Promise<Site[] | string> {
  if (source.startsWith(builtinSource)) {
    const sites = await listSitesOfBuiltinRepository(store, { organizationId, name: path })
    return sites.length > 0 ? sites : `No site is read from ${path}.`
  }
  if (siteId === null) {
    const app = await getCodeHostApp(store.durable, source.slice('app:'.length))
    if (app === null) return 'The App has been removed.'
    const sites = await findSitesOfRepository(store, { organizationId, url: `${app.origin}/${path}` })
    return sites.length > 0 ? sites : `No site is read from ${path}.`
  }
  const site = await getSite(store.durable, siteId)
  if (site === null) return 'The site has been deleted.'
  const { location } = site.source
  if (!isAddressOf(location, path)) {
    return `The webhook belongs to ${path}, but the site ${site.slug} is read from ${location}. Change the source of the site, or remove the webhook.`
  }
  return findSitesOfRepository(store, { organizationId, url: location })
}

/** Matching context repositories of the organization, or only of the site if the hook belongs to one. */
async function findContexts(
  { store }: Pick<WebhookHandlerDeps, 'store'>,
  { source, siteId, organizationId }: WebhookDelivery<WebhookEvent>,
  { path }: WebhookRepository,
): Promise<ContextRepository[]> {
  if (source.startsWith(builtinSource)) return []
  if (siteId !== null) {
    const ofSite = await listContextRepositories(store.durable, { siteId })
    return ofSite.filter((context) => isAddressOf(context.source.location, path))
  }
  const app = await getCodeHostApp(store.durable, source.slice('app:'.length))
  if (app === null) return []
  const all = await listContextRepositoriesOfOrganization(store.durable, organizationId)
  return all.filter((context) => isSameRepository(context.source.location, `${app.origin}/${path}`))
}

function followsPush({ ref }: Site['source'], push: PushEvent): boolean {
  return ref === null ? push.isDefaultBranch : [push.ref, ...(push.otherRefs ?? [])].includes(ref)
}

function notifyWatchers(
  { triggerAutomations }: Pick<WebhookHandlerDeps, 'triggerAutomations'>,
  { sites, contexts }: { sites: readonly Site[]; contexts: readonly ContextRepository[] },
): Promise<void> {
  return triggerAutomations({ siteIds: sites.map(({ id }) => id), contextIds: contexts.map(({ id }) => id) })
}

/** Handles a push to a repository that no site reads. @param none Outcome if no context repository matches. */
async function notifyContexts(
  deps: Pick<WebhookHandlerDeps, 'triggerAutomations'>,
  contexts: readonly ContextRepository[],
  push: PushEvent,
  none: string,
): Promise<WebhookOutcome> {
  const moved = contexts.filter(({ source }) => followsPush(source, push))
  if (moved.length === 0) return { state: 'ignored', outcome: none }
  await notifyWatchers(deps, { sites: [], contexts: moved })
  return { state: 'done', outcome: `Triggered automations for ${moved.map(({ name }) => `@${name}`).join(', ')}.` }
}

async function syncSites(
  deps: Pick<WebhookHandlerDeps, 'store' | 'clock' | 'ids' | 'wakeSync'>,
  sites: readonly Site[],
  none: string,
): Promise<WebhookOutcome> {
  for (const { id } of sites) {
    await requestSync(deps, id, 'source-changed')
    deps.wakeSync(id)
  }
  if (sites.length === 0) return { state: 'ignored', outcome: none }
  return { state: 'done', outcome: `Syncs ${sites.map(({ slug }) => slug).join(', ')}.` }
}
