import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import type { CodeHost, PullRequest, PullRequestCheck } from '../../codehost/code-host.ts'
import { countAnswers, readersCheckStart } from '../../contract/counterfactual.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { keepComment } from '../../codehost/keep-comment.ts'
import { isTelling } from '../../models/offline/search-text.ts'
import { listAskedQuestions } from '../../store/answers/asked-questions.ts'
import { type ComparisonRow, keepComparison, type StoredComparison } from '../../store/comparisons/comparisons.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getSite, type Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { type ChangedCommits, findChangedCommits } from './find-changed-commits.ts'
import type { CompareThread } from './compare-thread.ts'
import { summarizeComparison, writeComparisonMarkdown } from './describe-comparison.ts'

export interface ComparePullRequestDeps {
  store: Store
  clock: Clock
  ids: IdSource
  openHost: AgentRequestDeps['openHost']
  thread: Pick<CompareThread, 'compare'>
  /** Signs the mark of comments, so that nobody can plant one earlier. */
  markKey: Buffer
}

/** The newest questions of readers that are asked again. */
const readerQuestionsMax = 100
const askedSinceMs = 90 * 24 * 60 * 60_000
const questionCharsMax = 2_000
/** Below the smallest limit of the hosts, Bitbucket's. */
const commentCharsMax = 32_000

/**
 * Compares a pull request with its base and publishes the result where people decide on it. Safe to repeat: the result
 * is stored before it is published, and comment and check are edited in place.
 *
 * @throws {AppError} from the host.
 */
export async function comparePullRequest(
  deps: ComparePullRequestDeps,
  row: ComparisonRow,
  signal: AbortSignal,
): Promise<void> {
  const site = await getSite(deps.store.durable, row.siteId)
  const host = site === null ? null : await deps.openHost(site)
  if (site === null || host === null) return
  const pullRequest = await host.readPullRequest(row.pullRequestId, signal)
  if (pullRequest.state !== 'open') return
  const commits = await findChangedCommits(host, pullRequest, signal)
  const known = row.result?.headCommit === commits.headCommit && row.result.baseCommit === commits.baseCommit
  const result = known && row.result !== null ? row.result : await compare(deps, { site, commits }, signal)
  if (!(await keepComparison(deps.store.durable, row, result))) return
  await publish(deps, { host, site, pullRequest, result }, signal)
}

async function compare(
  { store, clock, thread }: ComparePullRequestDeps,
  { site, commits }: { site: Site; commits: ChangedCommits },
  signal: AbortSignal,
): Promise<StoredComparison> {
  const now = clock.now()
  const period = { from: now - askedSinceMs, to: now }
  const project = await getProject(store.durable, site.projectId)
  const asked = { organizationId: project?.organizationId ?? '', siteId: site.id, ...period }
  const { items } = await listAskedQuestions(store.durable, asked, { limit: readerQuestionsMax })
  // A follow-up says nothing without what was said before.
  const readerQuestions = [...new Set(items.map(({ question }) => question))].filter(
    (question) => question.length <= questionCharsMax && isTelling(question),
  )
  const { subdirectory } = site.source
  const comparison = await thread.compare({ ...commits, subdirectory, siteUrl: null, readerQuestions }, signal)
  return { headCommit: commits.headCommit, baseCommit: commits.baseCommit, comparison }
}

interface Publication {
  host: CodeHost
  site: Site
  pullRequest: PullRequest
  result: StoredComparison
}

/** The built-in host shows the stored result on its own page. */
async function publish(
  deps: ComparePullRequestDeps,
  { host, site, pullRequest, result }: Publication,
  signal: AbortSignal,
) {
  const { id } = pullRequest
  const check = writeCheck(site, result)
  await host.reportCheck({ id, commit: result.headCommit, check }, signal)
  if (host.kind === 'builtin') return
  const mark = { name: 'readers', key: deps.markKey, subject: site.id }
  await keepComment(deps, host, { id, mark, body: writeComparisonMarkdown(result.comparison, commentCharsMax) }, signal)
}

function writeCheck(site: Site, { comparison }: StoredComparison): PullRequestCheck {
  const worse = countAnswers(comparison, 'worse')
  const isRequired = readSiteSettings(site.settings).requiresNoneWorse
  const state = worse === 0 ? 'passed' : isRequired ? 'failed' : 'warning'
  return { name: `${readersCheckStart}${site.slug}`, state, summary: summarizeComparison(comparison) }
}
