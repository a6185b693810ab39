import type { CodeHost } from '../../codehost/code-host.ts'
import { upsertComment } from '../../codehost/upsert-comment.ts'
import { escapeLine } from '../change/escape-line.ts'
import { writeDriftReport } from '../../sites/drift/write-drift-report.ts'
import { isSameRepository } from '../../sites/sites-of-repository.ts'
import { type DriftCheck, getSiteDriftCheck } from '../../store/drift/drift-checks.ts'
import { type ContextRepository, getContextRepository } from '../../store/sites/context-repositories.ts'
import { finishClaim, renewClaim } from '../../store/queue.ts'
import { getSite, type Site, type SiteSource } from '../../store/sites/sites.ts'
import { type ChangedCommits, findChangedCommits } from '../counterfactual/find-changed-commits.ts'
import { type CheckDriftDeps, placeDrifts } from './check-site-drift.ts'
import type { DriftRequest } from './drift-thread.ts'
import { openSiteProducts } from './site-products.ts'

export interface ReportDriftDeps extends CheckDriftDeps {
  /** The host of a product's pull requests; null if it takes none. */
  openProductHost(context: ContextRepository): Promise<CodeHost | null>
  /** Signs the mark of comments. */
  markKey: Buffer
}

const leaseMs = 60_000
/** Below the smallest limit of the hosts, Bitbucket's. */
const commentCharsMax = 32_000

/**
 * Says on a pull request of a product which sentences of the documentation it makes false, in one comment that is kept
 * up to date. Safe to repeat. A pull request that harms no page gets no comment.
 *
 * @returns False if the claim was lost, also to a push in the meantime.
 * @throws {AppError} from the host.
 */
export async function reportDrift(deps: ReportDriftDeps, check: DriftCheck, signal: AbortSignal): Promise<boolean> {
  const { store } = deps
  const site = await getSite(store.durable, check.siteId)
  const context = await getContextRepository(store.durable, check.contextId)
  const host = context?.role === 'product' ? await deps.openProductHost(context) : null
  if (site !== null && context !== null && host !== null) {
    const isHeld = await report(deps, { check, site, context, host }, signal)
    if (!isHeld) return false
  }
  const change = { checkedAt: deps.clock.now(), failure: null }
  return (await finishClaim(store.durable, 'driftChecks', check, change)) !== null
}

interface Report {
  check: DriftCheck
  site: Site
  context: ContextRepository
  host: CodeHost
}

async function report(deps: ReportDriftDeps, { check, site, context, host }: Report, signal: AbortSignal) {
  const { store, clock } = deps
  const pullRequest = await host.readPullRequest(check.pullRequestId, signal)
  const siteCheck = await getSiteDriftCheck(store.durable, site.id)
  const opened = await openSiteProducts(deps, { site, check: siteCheck }, signal)
  // The site's own check comes first: without it, the file of facts would begin with this pull request's base.
  if (pullRequest.state !== 'open' || opened === null) return true
  const commits = await findChangedCommits(host, pullRequest, signal)
  const change = describeChange(context, site.source, commits)
  const drifts = await deps.thread.find({ ...opened, change }, signal)
  const placed = await placeDrifts(deps, { site, drifts }, signal)
  // Looked at again before speaking: a push made what was found old.
  if ((await host.readPullRequest(check.pullRequestId, signal)).head.commit !== commits.headCommit) {
    throw new Error('The pull request was changed while it was compared.')
  }
  if (!(await renewClaim(store.durable, 'driftChecks', check, clock.now() + leaseMs))) return false
  const siteUrl = (await deps.sites.find(site.slug))?.url ?? null
  const text = writeDriftReport(placed, { siteUrl: siteUrl ?? '', folds: host.kind !== 'builtin' })
  const heading = `### ${escapeLine(site.name, 100)}`
  const body = cutLines(`${heading}\n\n${text}`)
  const mark = { name: 'drift', key: deps.markKey, subject: `${site.id}\n${context.id}` }
  await upsertComment(deps, host, { id: pullRequest.id, mark, body, isNeeded: placed.length > 0 }, signal)
  return true
}

/** Whole lines, so that no code is cut open. */
function cutLines(text: string): string {
  return text.length <= commentCharsMax ? text : text.slice(0, text.lastIndexOf('\n', commentCharsMax))
}

/** Where product and pages share a repository, the pages of the pull request count: it may fix them itself. */
function describeChange(
  { name, source }: ContextRepository,
  pages: SiteSource,
  { gitDirectory, baseCommit, headCommit }: ChangedCommits,
): DriftRequest['change'] {
  const { subdirectory } = source
  const isShared = source.kind === pages.kind && isSamePlace(source.location, pages.location)
  return {
    name,
    from: { gitDirectory, commit: baseCommit, subdirectory },
    to: { gitDirectory, commit: headCommit, subdirectory },
    pages: isShared ? { kind: 'git', location: gitDirectory, ref: headCommit, subdirectory: pages.subdirectory } : null,
  }
}

function isSamePlace(one: string, other: string): boolean {
  return one === other || isSameRepository(one, other)
}
