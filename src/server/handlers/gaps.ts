import { countJobs } from '../../access/limits/count-jobs.ts'
import { createJob } from '../../agent/jobs/create-job.ts'
import { retryQuestions } from '../../assistant/retry-questions.ts'
import { agentJobCreateSchema } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import type { gapOperations } from '../../contract/operations/insights.ts'
import { isRefusal } from '../../contract/verdicts.ts'
import { countTriedPages, draftGapJob } from '../../insights/draft-gap-job.ts'
import { findGap, findGaps, type FoundGap } from '../../insights/find-gaps.ts'
import { linkGap } from '../../insights/link-gap.ts'
import { chooseRetries, storeRetries } from '../../insights/retry-gap.ts'
import { getAgentJob } from '../../store/agent/agent-jobs.ts'
import { getGap, updateGap } from '../../store/answers/gaps.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getSite, listSites, type Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

const questionsShown = 20
const sitesMax = 200
const retryMsMax = 180_000

export function createGapHandlers(deps: ServerDeps): Handlers<typeof gapOperations> {
  const { store, clock } = deps

  return {
    listGaps: async ({ c, query: { siteId, state, limit } }) => {
      const gaps: FoundGap[] = []
      // One after the other: each site's questions are grouped in the same thread.
      for (const site of await listGapSites(c, deps, siteId)) gaps.push(...(await findGaps(deps, toGapSite(c, site))))
      const wanted = gaps.filter((gap) => state === undefined || gap.state === state)
      const items = wanted.toSorted((one, other) => other.asked.length - one.asked.length).slice(0, limit)
      return { items: items.map(toResource), nextCursor: null }
    },

    getGap: async ({ c, params }) => {
      const { gap } = await requireGap(c, deps, params.id)
      return toResource(gap)
    },

    updateGap: async ({ c, params, body: { state, jobId } }) => {
      const { gap } = await requireGap(c, deps, params.id)
      if (jobId != null) await requireOwnJob(c, deps, jobId)
      await updateGap(store.durable, gap.id, {
        updatedAt: clock.now(),
        ...(jobId !== undefined && { jobId }),
        ...(jobId != null && { state: 'drafted' as const }),
        ...(state !== undefined && { state }),
      })
      return {
        reply: async () => toResource((await requireGap(c, deps, gap.id)).gap),
        audit: { target: targetOf(gap) },
      }
    },

    draftGapJob: async ({ c, params }) => {
      const { gap, site } = await requireGap(c, deps, params.id)
      return { site: site.slug, projectId: site.projectId, prompt: draftGapJob(gap) }
    },

    createGapJob: async ({ c, params, body }) => {
      const { gap, site } = await requireGap(c, deps, params.id)
      const request = agentJobCreateSchema.parse({ prompt: draftGapJob(gap), ...body, site: site.id })
      const count = linkGap(deps, gap.id, countJobs(deps, deps.limits.jobsPerHour)(site.projectId))
      const input = { projectId: site.projectId, request, idempotencyKey: null, count }
      const { job } = await createJob(deps.agent, input, c.req.raw.signal)
      return {
        reply: async () => toResource((await requireGap(c, deps, gap.id)).gap),
        audit: { target: { kind: 'job', id: job.id, name: job.title } },
      }
    },

    retryGap: async ({ c, params }) => {
      const { gap, site } = await requireGap(c, deps, params.id)
      const live = await deps.sites.find(site.slug)
      if (live === null) throw missingGap(gap.id)
      const signal = AbortSignal.any([c.req.raw.signal, deps.lifecycle.streamsEnd, AbortSignal.timeout(retryMsMax)])
      const input = { questions: chooseRetries(gap), site: live, masksStored: deps.masksStored, log: c.get('log') }
      const retried = await retryQuestions(deps.answers, input, signal)
      await storeRetries(store, gap, { retried, commit: live.commit, isMerged: false, now: clock.now() })
      return {
        reply: async () => toResource((await requireGap(c, deps, gap.id)).gap),
        audit: { target: targetOf(gap) },
      }
    },
  }
}

/** The site, or without one, those of the organization. */
async function listGapSites(c: AppContext, deps: ServerDeps, siteId: string | undefined): Promise<Site[]> {
  if (siteId !== undefined) return [await findOwnSite(c, deps, siteId)]
  const { items } = await listSites(deps.store.durable, { organizationId: c.get('organizationId'), limit: sitesMax })
  return items
}

/**
 * A gap of one of the organization's sites. @throws {AppError} `not_found`, also if it belongs to another organization.
 */
async function requireGap(c: AppContext, deps: ServerDeps, id: string): Promise<{ gap: FoundGap; site: Site }> {
  const stored = await getGap(deps.store.durable, id)
  const site = stored === null ? null : await getSite(deps.store.durable, stored.siteId)
  const project = site === null ? null : await getProject(deps.store.durable, site.projectId)
  if (site === null || project?.organizationId !== c.get('organizationId')) throw missingGap(id)
  const gap = await findGap(deps, toGapSite(c, site), id)
  if (gap === null) throw missingGap(id)
  return { gap, site }
}

async function requireOwnJob(c: AppContext, { store }: ServerDeps, id: string): Promise<void> {
  const job = await getAgentJob(store.durable, id)
  const project = job === null ? null : await getProject(store.durable, job.projectId)
  if (project?.organizationId === c.get('organizationId')) return
  throw invalidRequest([{ path: 'jobId', message: 'is not a job of this organization' }])
}

function toGapSite(c: AppContext, { id }: Site) {
  return { id, organizationId: c.get('organizationId') }
}

/** Without its question, which is deleted with its conversation. */
function targetOf({ id }: FoundGap) {
  return { kind: 'gap', id, name: null }
}

function missingGap(id: string): AppError {
  return new AppError('not_found', `There is no gap ${id.slice(0, 200)}. List them with GET /admin/v1/insights/gaps.`)
}

function toResource(gap: FoundGap) {
  const { asked } = gap
  const times = asked.map(({ answer }) => answer.createdAt)
  return {
    ...gap,
    questions: asked
      .slice(0, questionsShown)
      .map(({ answer, question }) => ({ id: answer.id, question, verdict: answer.verdict })),
    count: asked.length,
    unanswered: asked.filter(({ answer }) => isRefusal(answer.verdict)).length,
    unhelpful: asked.filter(({ feedback }) => feedback === 'unhelpful').length,
    pagesTried: countTriedPages(gap).slice(0, questionsShown),
    firstAskedAt: Math.min(gap.askedAt, ...times),
    lastAskedAt: Math.max(gap.askedAt, ...times),
  }
}
