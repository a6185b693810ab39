import type { AgentJobPullRequest } from '../tables/agent.ts'
import { selectSiteIds } from '../queries.ts'
import type { Db } from '../schema.ts'

/** Longest list; nobody works through more. */
const listedMax = 50

/** Discrepancies of a site that are open. */
export interface OpenDiscrepancies {
  siteId: string
  count: number
  /** The oldest one. UTC milliseconds. */
  since: number
}

export async function countOpenDiscrepancies(db: Db, organizationId: string): Promise<OpenDiscrepancies[]> {
  const rows = await db
    .selectFrom('discrepancies')
    .select(({ fn }) => ['siteId', fn.countAll().as('count'), fn.min<number | string>('createdAt').as('since')])
    .where('state', '=', 'open')
    // Its job is on its way to the pages.
    .where('jobId', 'is', null)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
    .groupBy('siteId')
    .orderBy('siteId')
    .execute()
  return rows.map(({ siteId, count, since }) => ({ siteId, count: Number(count), since: Number(since) }))
}

export interface WaitingPullRequest {
  /** On the built-in host, without the base URL of the service. */
  url: string
  title: string
  /** Name of the repository, which is the location of the sites made of it. */
  repository: string
  /** UTC milliseconds. */
  createdAt: number
}

/** Open pull requests of the built-in host that are not drafts, newest first. */
export async function listWaitingPullRequests(db: Db, organizationId: string): Promise<WaitingPullRequest[]> {
  const rows = await db
    .selectFrom('pullRequests')
    .innerJoin('repositories', 'repositories.id', 'pullRequests.repositoryId')
    .select(['secret', 'number', 'title', 'repositories.name as repository', 'pullRequests.createdAt'])
    .where((where) => where.and({ 'repositories.organizationId': organizationId, state: 'open' }))
    .where('isDraft', '=', false)
    .orderBy('pullRequests.id', 'desc')
    .limit(listedMax)
    .execute()
  return rows.map(({ secret, number, ...row }) => ({ ...row, url: `/pull/${secret}/${number}` }))
}

export interface EndedJob {
  id: string
  siteId: string
  title: string
  status: 'active' | 'completed' | 'failed'
  failure: string | null
  pullRequest: AgentJobPullRequest | null
  repository: string
  updatedAt: number
}

/** Jobs of an organization or one of its sites that ended since a time and are not archived, newest first. */
export async function listEndedJobs(
  db: Db,
  { organizationId, siteId, since }: { organizationId: string; siteId?: string; since: number },
): Promise<EndedJob[]> {
  const query = db
    .selectFrom('agentJobs')
    .select(['id', 'siteId', 'title', 'prompt', 'status', 'failureMessage', 'pullRequest', 'repository', 'updatedAt'])
    .where('status', 'in', ['completed', 'failed'])
    .where('updatedAt', '>=', since)
    .where('archivedAt', 'is', null)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
    .orderBy('updatedAt', 'desc')
    .limit(listedMax)
  const rows = await (siteId === undefined ? query : query.where('siteId', '=', siteId)).execute()
  return rows.map(({ title, prompt, failureMessage, ...row }) => ({
    ...row,
    title: title ?? prompt.slice(0, 200),
    failure: failureMessage,
  }))
}

/** Digests queued since a time that could not be sent by e-mail. */
export async function listUnsentDigests(
  db: Db,
  { organizationId, since }: { organizationId: string; since: number },
): Promise<{ siteId: string; failure: string; since: number }[]> {
  const rows = await db
    .selectFrom('digests')
    .select(['siteId', 'failure', 'createdAt'])
    .where('runAt', 'is', null)
    .where('failure', 'is not', null)
    .where('createdAt', '>=', since)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
    .orderBy('createdAt', 'desc')
    .limit(listedMax)
    .execute()
  return rows.map(({ siteId, failure, createdAt }) => ({ siteId, failure: failure ?? '', since: createdAt }))
}

/** Sites whose newest generation waits until an owner confirms its addresses. */
export function listWaitingSites(db: Db, organizationId: string): Promise<{ siteId: string; since: number }[]> {
  return db
    .selectFrom('indexGenerations as generation')
    .select(['siteId', 'createdAt as since'])
    .where('isWaiting', '=', true)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
    .where('number', '=', (select) =>
      select
        .selectFrom('indexGenerations as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.siteId', '=', 'generation.siteId'),
    )
    .orderBy('siteId')
    .execute()
}
