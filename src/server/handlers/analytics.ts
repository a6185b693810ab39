import { AppError } from '../../contract/app-error.ts'
import type { AnalyticsPeriod } from '../../contract/analytics.ts'
import type { analyticsOperations } from '../../contract/operations/analytics.ts'
import { countFeedbackByPage, toAnalyticsFeedback } from '../../insights/analytics-feedback.ts'
import { isAnswered } from '../../contract/verdicts.ts'
import {
  type AskedQuestion,
  findAskedCursor,
  listAskedQuestions,
  type QuestionFilter,
  tallyQuestions,
} from '../../store/answers/asked-questions.ts'
import { listRatedAnswers, type RatedAnswerFilter } from '../../store/answers/rated-answers.ts'
import { listMessages } from '../../store/answers/messages.ts'
import { getThread } from '../../store/answers/threads.ts'
import { listSites, type Site } from '../../store/sites/sites.ts'
import { dayMs } from '../../base/durations.ts'
import type { AppContext } from '../app-env.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { findOwnProject } from '../resources/agent-job-resource.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

const sitesMax = 1_000
const answerPrefix = 'msg_'
const threadMessagesMax = 1_000
/** Feedback that is grouped by page: the newest. */
const groupedMax = 10_000
const noVisits = { human: 0, ai: 0, total: 0 }

export function createAnalyticsHandlers(deps: ServerDeps): Handlers<typeof analyticsOperations> {
  const { store } = deps
  const db = store.durable

  return {
    getAnalyticsFeedback: async ({ c, params, query: { source, status, ...query } }) => {
      const scope = await readScope(c, deps, params.projectId, query)
      const { items, nextCursor } = await listRatedAnswers(db, { ...toRated(scope), source, status }, query)
      return { feedback: items.map(toAnalyticsFeedback), nextCursor, hasMore: nextCursor !== null }
    },

    getAnalyticsFeedbackByPage: async ({ c, params, query: { source, status, limit, ...query } }) => {
      const scope = await readScope(c, deps, params.projectId, query)
      const { items } = await listRatedAnswers(db, { ...toRated(scope), source, status }, { limit: groupedMax })
      const pages = countFeedbackByPage(items)
      return { feedback: pages.slice(0, limit), hasMore: pages.length > limit }
    },

    getAnalyticsConversations: async ({ c, params, query: { limit, cursor, ...query } }) => {
      const scope = await readScope(c, deps, params.projectId, query)
      const page = { limit, cursor: await readCursor(deps, cursor) }
      const { items, nextCursor: next } = await listAskedQuestions(db, scope.filter, page)
      const nextCursor = next === null ? null : (items.at(-1)?.answer.id.replace(answerPrefix, '') ?? null)
      const urls = await listSiteUrls(deps, scope.sites)
      const conversations = items.map((asked) => toConversation(asked, urls.get(asked.answer.siteId) ?? null))
      return { conversations, nextCursor, hasMore: nextCursor !== null }
    },

    getAnalyticsThread: async ({ c, params: { projectId, threadId }, query }) => {
      const { sites } = await readScope(c, deps, projectId, query)
      const found = await Promise.all(sites.map(({ id }) => getThread(db, id, threadId)))
      const thread = found.find((each) => each !== null)
      if (thread == null) {
        const message = `The project ${projectId} has no thread ${threadId.slice(0, 128)}. List its conversations to see their ids.`
        throw new AppError('thread_not_found', message)
      }
      const { items } = await listMessages(db, thread.siteId, threadId, { limit: threadMessagesMax })
      const messages = items.map(({ id, role, text, createdAt }) => ({ id, role, content: text, createdAt }))
      return { threadId, createdAt: thread.createdAt, messages }
    },

    getAnalyticsCallers: async ({ c, params, query }) => {
      const { filter } = await readScope(c, deps, params.projectId, query)
      const tallies = await tallyQuestions(db, { filter, bucketMs: dayMs })
      const count = (callers: readonly (string | null)[]) =>
        tallies.filter(({ caller }) => callers.includes(caller)).reduce((sum, { questions }) => sum + questions, 0)
      const total = tallies.reduce((sum, { questions }) => sum + questions, 0)
      const [web, api] = [count(['widget', 'page']), count(['api'])]
      return { web, api, other: total - web - api, total }
    },

    getAnalyticsSearches: async ({ c, params, query }) => {
      await readScope(c, deps, params.projectId, query)
      return { searches: [], totalSearches: 0, nextCursor: null }
    },

    getAnalyticsViews: async ({ c, params, query }) => {
      await readScope(c, deps, params.projectId, query)
      return { totals: noVisits, views: [], hasMore: false }
    },

    getAnalyticsVisitors: async ({ c, params, query }) => {
      await readScope(c, deps, params.projectId, query)
      return { totals: noVisits, visitors: [], hasMore: false }
    },
  }
}

interface Scope {
  sites: Site[]
  filter: QuestionFilter
}

/** The sites and the period of a request. @throws {AppError} `not_found` for the project, `site_not_found`. */
async function readScope(
  c: AppContext,
  deps: ServerDeps,
  projectId: string,
  { site, dateFrom, dateTo }: AnalyticsPeriod,
): Promise<Scope> {
  const project = await findOwnProject(c, deps, projectId)
  const { items } = await listSites(deps.store.durable, { projectId: project.id, limit: sitesMax })
  const sites = items.filter(({ id, slug }) => site === undefined || id === site || slug === site.toLowerCase())
  if (site !== undefined && sites.length === 0) {
    throw new AppError(
      'site_not_found',
      `The project ${project.id} has no site ${site}. List its sites to see their slugs.`,
    )
  }
  const from = dateFrom === undefined ? 0 : Date.parse(dateFrom)
  // Include an answer of this very millisecond.
  const to = dateTo === undefined ? deps.clock.now() + 1 : Date.parse(dateTo)
  const { organizationId } = project
  const siteId = site === undefined ? undefined : sites[0]?.id
  return { sites, filter: { organizationId, projectId: project.id, siteId, from, to } }
}

function toRated({ sites, filter: { from, to } }: Scope): RatedAnswerFilter {
  return { siteIds: sites.map(({ id }) => id), from, to }
}

/** The cursor is the ULID in the id of the last answer. @throws {AppError} `invalid_request` if there is no such answer. */
async function readCursor({ store }: ServerDeps, cursor: string | undefined): Promise<string | null> {
  if (cursor === undefined || cursor === '') return null
  const found = await findAskedCursor(store.durable, answerPrefix + cursor)
  if (found !== null) return found
  throw invalidRequest([{ path: 'cursor', message: 'is no longer known: begin at the first page' }])
}

/** Sites that are not served have no addresses. */
async function listSiteUrls(deps: ServerDeps, sites: readonly Site[]): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  for (const { id, slug } of sites) {
    const site = await deps.sites.find(slug).catch(() => null)
    if (site !== null) urls.set(id, site.url)
  }
  return urls
}

function toConversation({ question, answer, askedAt }: AskedQuestion, siteUrl: string | null) {
  return {
    id: answer.threadId,
    timestamp: askedAt,
    query: question,
    response: answer.text,
    responseType: 'answer' as const,
    sources: answer.sources.map(({ title, url }) => ({ title, url })),
    resolutionStatus: isAnswered(answer.verdict) ? ('answered' as const) : ('unanswered' as const),
    queryCategory: null,
    pageUrl: toPageUrl(answer.asked?.currentPath ?? null, siteUrl),
  }
}

/** Readers' pages are stored as clients named them: as an address or as a path, with or without the site's base path. */
function toPageUrl(currentPath: string | null, siteUrl: string | null): string | null {
  if (currentPath === null || /^https?:/i.test(currentPath)) return currentPath
  if (siteUrl === null) return null
  const { origin, pathname } = new URL(siteUrl)
  const path = `/${currentPath.replace(/^\/+/, '')}`
  const hasBase = pathname !== '/' && (path === pathname || path.startsWith(`${pathname}/`))
  return hasBase || pathname === '/' ? origin + path : siteUrl + path
}
