import { dayMs } from '../../base/durations.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IdSource } from '../../base/ids.ts'
import type { CodeHost, PullRequest, PullRequestCheck } from '../../codehost/code-host.ts'
import { countAnswers, type ModelComparison, readersCheckStart } from '../../contract/counterfactual.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { upsertComment } from '../../codehost/upsert-comment.ts'
import { isTelling } from '../../models/offline/search-text.ts'
import { listAskedQuestions } from '../../store/answers/asked-questions.ts'
import { type ComparisonRow, storeComparison, type StoredComparison } from '../../store/comparisons/comparisons.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getCurrentIndexGeneration } from '../../store/sites/index-generations.ts'
import { getSite, type Site } from '../../store/sites/sites.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { type ChangedCommits, findChangedCommits } from './find-changed-commits.ts'
import { countOutcomes, type ReachedSite } from './compare-sites.ts'
import type { CompareThread } from './compare-thread.ts'
import { summarizeComparison, writeComparisonMarkdown } from './describe-comparison.ts'

/** What a change reaches, and where the indexes of both versions are. */
export interface IndexedChange {
  reached: ReachedSite
  indexFolder: string
}

/** The model that answers a site's readers. */
export interface SiteModel {
  /** `provider/model`. */
  name: string
  /** Asks it what the change reaches, before and after. Throws only the reason of the signal. */
  compare(change: IndexedChange, signal: AbortSignal): Promise<ModelComparison>
}

export interface ComparePullRequestDeps extends StoreDeps {
  ids: IdSource
  openHost: AgentRequestDeps['openHost']
  thread: Pick<CompareThread, 'compare'>
  indexFolder: string
  parsedFolder: string
  /** Null if pull requests of the site are compared by the offline model alone. */
  openModel(site: Site): Promise<SiteModel | null>
  /** Signs the mark of comments, so that nobody can plant one earlier. */
  markKey: Buffer
}

/** The newest questions of readers that are asked again. */
const readerQuestionsMax = 100
const askedSinceMs = 90 * dayMs
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
  const result = known && row.result !== null ? row.result : await compare(deps, { site, commits, pullRequest }, signal)
  if (!(await storeComparison(deps.store.durable, row, result))) return
  await publish(deps, { host, site, pullRequest, result }, signal)
}

async function compare(
  deps: ComparePullRequestDeps,
  { site, commits, pullRequest }: { site: Site; commits: ChangedCommits; pullRequest: PullRequest },
  signal: AbortSignal,
): Promise<StoredComparison> {
  const { store, clock, thread } = deps
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
  const generation = await getCurrentIndexGeneration(store.durable, site.id)
  const indexed = {
    parsedFile: join(deps.parsedFolder, site.id),
    indexFile: generation === null ? null : join(deps.indexFolder, generation.file),
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'docent-compare-'))
  try {
    const reached = await thread.compare(
      { ...commits, subdirectory, siteUrl: null, workFolder, indexed, readerQuestions },
      signal,
    )
    const model = await deps.openModel(site)
    const byModel =
      model === null
        ? null
        : pullRequest.isFromFork
          ? describeForkUnasked(model, reached)
          : await model.compare({ reached, indexFolder: workFolder }, signal)
    const { headCommit, baseCommit } = commits
    return { headCommit, baseCommit, comparison: { ...reached.comparison, byModel } }
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Anybody can open such a pull request, and would decide what the model is asked and how often. */
function describeForkUnasked({ name }: SiteModel, { reached }: ReachedSite): ModelComparison {
  return { model: name, counts: countOutcomes([]), answers: [], unasked: { count: reached.length, reason: 'fork' } }
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
  await upsertComment(
    deps,
    host,
    { id, mark, body: writeComparisonMarkdown(result.comparison, commentCharsMax) },
    signal,
  )
}

function writeCheck(site: Site, { comparison }: StoredComparison): PullRequestCheck {
  const worse = countAnswers(comparison, 'worse')
  const worseByModel = comparison.byModel === null ? 0 : countAnswers(comparison.byModel, 'worse')
  const isRequired = readSiteSettings(site.settings).requiresNoneWorse
  // A model may answer otherwise the next time, so it holds nothing.
  const state = worse > 0 && isRequired ? 'failed' : worse + worseByModel > 0 ? 'warning' : 'passed'
  return { name: `${readersCheckStart}${site.slug}`, state, summary: summarizeComparison(comparison) }
}
