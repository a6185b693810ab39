import { listReviews, type PullRequestReview } from '../../store/hosting/pull-request-reviews.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { countAnswers } from '../../contract/counterfactual.ts'
import { countOf } from '../../contract/count-of.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { listComparisons } from '../../store/comparisons/comparisons.ts'
import { getRepository } from '../../store/hosting/repositories.ts'
import { listSites, type Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'

const reviewsMax = 500

export interface HoldInput {
  record: Pick<PullRequestRecord, 'isDraft' | 'checks' | 'headCommit' | 'authorId'>
  /** Newest first. */
  reviews: readonly Pick<PullRequestReview, 'authorId' | 'author' | 'verdict' | 'commit'>[]
  requiresApproval: boolean
}

/** @returns Why a pull request does not merge without an owner's override, in a sentence; null if it may. */
export async function findHold(
  { store, requiresApproval }: Pick<BuiltinHostDeps, 'store' | 'requiresApproval'>,
  record: PullRequestRecord,
): Promise<string | null> {
  const reviews = await listReviews(store.durable, record.id, reviewsMax)
  return describeHold({ record, reviews, requiresApproval }) ?? describeReadersHold({ store }, record)
}

/** An approval counts for the commit that was reviewed; a request for changes, until its author approves. */
export function describeHold({ record, reviews, requiresApproval }: HoldInput): string | null {
  if (record.isDraft) return 'This is a draft: its author considers it unfinished.'
  const failed = record.checks.find(({ state }) => state === 'failed')
  if (failed !== undefined) return `The check “${failed.name}” failed.`
  const decisions = listDecisions(reviews)
  const objection = decisions.find(({ verdict }) => verdict === 'request-changes')
  if (objection !== undefined) return `${objection.author} asked for changes and has not approved since.`
  if (!requiresApproval) return null
  const isApproved = decisions.some(
    ({ authorId, commit }) => authorId !== record.authorId && commit === record.headCommit,
  )
  return isApproved ? null : 'Nobody but its author has approved it as it is now.'
}

/** The newest verdict of each reviewer, without comments. */
function listDecisions<Review extends HoldInput['reviews'][number]>(reviews: readonly Review[]): Review[] {
  const decided = reviews.filter(({ verdict }) => verdict !== 'comment')
  return [...new Map(decided.toReversed().map((review) => [review.authorId, review])).values()]
}

/** Most sites of one organization that are searched for those read from a repository. */
const sitesMax = 10_000

/**
 * Why a pull request must wait for its owner if a site requires that no answer gets worse; null if nothing holds it. An
 * outdated comparison says nothing, so changes wait until they are compared.
 */
async function describeReadersHold({ store }: { store: Store }, record: PullRequestRecord): Promise<string | null> {
  const demanding = await listDemandingSites(store, record)
  if (demanding.length === 0) return null
  const rows = await listComparisons(store.durable, record.id)
  for (const { id, slug } of demanding) {
    const result = rows.find(({ siteId }) => siteId === id)?.result ?? null
    if (result?.headCommit !== record.headCommit) {
      return `What the changes mean for readers of ${slug} is not known yet.`
    }
    const worse = countAnswers(result.comparison, 'worse')
    if (worse > 0) return `The changes make ${countOf(worse, 'answer')} to readers of ${slug} worse.`
  }
  return null
}

async function listDemandingSites(store: Store, { repositoryId, baseBranch }: PullRequestRecord): Promise<Site[]> {
  const repository = await getRepository(store.durable, repositoryId)
  if (repository === null) return []
  const { organizationId, name, defaultBranch } = repository
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  return items.filter(({ source: { kind, location, ref }, settings }) => {
    const isRead = kind === 'builtin' && location === name && (ref ?? defaultBranch) === baseBranch
    return isRead && readSiteSettings(settings).requiresNoneWorse
  })
}
