import { type Expression, type SqlBool, sql } from 'kysely'
import { agentCallers } from '../../contract/insights.ts'
import { answerVerdicts, isAnswer, lackingVerdicts, refusalVerdicts } from '../../contract/verdicts.ts'
import { escapeLike, containsText } from '../like-pattern.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { type Message, messageColumns, toMessage } from './messages.ts'
import { selectSiteIds } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** Combined feedback on an answer: unhelpful as soon as one reader says so. */
export type FeedbackState = 'helpful' | 'unhelpful' | 'none'

/** Selects from an organization's questions. */
export interface QuestionFilter {
  organizationId: string
  projectId?: string | undefined
  siteId?: string | undefined
  /** UTC milliseconds; `to` is exclusive. */
  from: number
  to: number
  /** Matches any of these. */
  verdicts?: readonly string[] | undefined
  feedback?: FeedbackState | undefined
  /** With a verdict that suggests a gap, or rated unhelpful. */
  isLacking?: boolean | undefined
  caller?: string | undefined
  askedBy?: 'people' | 'agents' | undefined
  keyId?: string | undefined
  language?: string | undefined
  version?: string | undefined
  /** Only answers that cite this page: the end of its URL without the fragment. */
  page?: string | undefined
  /** Only questions with this text in the question or its answer. */
  search?: string | undefined
}

/** A question with its current answer. */
export interface AskedQuestion {
  questionId: string
  question: string
  answer: Message
  feedback: FeedbackState
  /** UTC milliseconds. */
  askedAt: number
}

/** Longest prefix to read of each text. */
export interface AskedCharsMax {
  question: number
  answer: number
}

export interface AskedListRequest extends ListRequest {
  /** Absent: full texts. */
  charsMax?: AskedCharsMax
}

/** Newest first. The cursor is opaque; a foreign one starts from the top. */
export async function listAskedQuestions(
  db: Db,
  filter: QuestionFilter,
  request: AskedListRequest,
): Promise<Listing<AskedQuestion>> {
  // Site by site, because the index is ordered within a site only: sorting all answers takes seconds.
  const siteIds = await listSiteIds(db, filter)
  const found = await Promise.all(siteIds.map((siteId) => listRows(db, filter, siteId, request)))
  const rows = found
    .flat()
    .sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
    .slice(0, request.limit + 1)
  return toListing(rows, request.limit, toAskedQuestion, (row) => `${row.createdAt}.${row.id}`)
}

/** The cursor after an answer; null if it does not exist. */
export async function findAskedCursor(db: Db, answerId: string): Promise<string | null> {
  const row = await db.selectFrom('messages').select('createdAt').where('id', '=', answerId).executeTakeFirst()
  return row === undefined ? null : `${row.createdAt}.${answerId}`
}

function listRows(db: Db, filter: QuestionFilter, siteId: string, request: AskedListRequest): Promise<AskedRow[]> {
  const after = /^(\d{1,15})\.(.+)$/su.exec(request.cursor ?? '')
  let query = selectAnswers(db, filter, [siteId])
    .innerJoin('messages as question', 'question.id', 'answer.questionId')
    .select(messageColumns.map((column) => `answer.${column}` as const))
    .select(({ ref }) => [
      startOf(ref('answer.text'), request.charsMax?.answer).as('text'),
      startOf(ref('question.text'), request.charsMax?.question).as('questionText'),
      ref('question.createdAt').as('askedAt'),
      liked().as('liked'),
    ])
  if (after !== null) {
    const [at, id] = [Number(after[1]), after[2] ?? '']
    query = query.where((where) =>
      where.or([
        where('answer.createdAt', '<', at),
        where.and([where('answer.createdAt', '=', at), where('answer.id', '<', id)]),
      ]),
    )
  }
  return query
    .orderBy('answer.createdAt', 'desc')
    .orderBy('answer.id', 'desc')
    .limit(request.limit + 1)
    .execute()
}

function startOf(text: Expression<string>, charsMax: number | undefined) {
  return charsMax === undefined ? sql<string>`${text}` : sql<string>`substr(${text}, 1, ${charsMax})`
}

/** Bounds the cost of a query. */
const sitesMax = 1_000

/** Sites of the organization that the filter selects. */
export async function listSiteIds(db: Db, { organizationId, projectId, siteId }: QuestionFilter): Promise<string[]> {
  let query = selectSiteIds(db, organizationId)
  if (projectId !== undefined) query = query.where('projects.id', '=', projectId)
  if (siteId !== undefined) query = query.where('sites.id', '=', siteId)
  const rows = await query.orderBy('sites.id').limit(sitesMax).execute()
  return rows.map(({ id }) => id)
}

type AskedRow = Row<'messages'> & { questionText: string; askedAt: number; liked: number | null }

function toAskedQuestion({ questionText, askedAt, liked, ...row }: AskedRow): AskedQuestion {
  return {
    questionId: row.questionId ?? '',
    question: questionText,
    answer: toMessage(row),
    askedAt,
    feedback: liked === null ? 'none' : liked === 0 ? 'unhelpful' : 'helpful',
  }
}

/** Counts over a selection of questions. */
export interface QuestionTally {
  questions: number
  answered: number
  unanswered: number
  broken: number
  helpful: number
  unhelpful: number
  costUsd: number
}

export interface TallyRequest {
  filter: QuestionFilter
  bucketMs: number
}

/** Grouped by bucket, verdict and caller, in no particular order. */
export async function tallyQuestions(
  db: Db,
  { filter, bucketMs }: TallyRequest,
): Promise<(QuestionTally & { startsAt: number; verdict: string | null; caller: string | null })[]> {
  const siteIds = await listSiteIds(db, filter)
  if (siteIds.length === 0) return []
  const rows = await tally(db, filter, siteIds)
    // A literal, because PostgreSQL treats expressions with different parameters as different.
    .select(sql<DatabaseNumber>`asked.created_at - asked.created_at % ${sql.lit(bucketMs)}`.as('startsAt'))
    .select(['asked.verdict', 'asked.caller'])
    .groupBy(['startsAt', 'asked.verdict', 'asked.caller'])
    .execute()
  return rows.map((row) => ({
    ...toTally(row),
    startsAt: Number(row.startsAt),
    verdict: row.verdict,
    caller: row.caller,
  }))
}

/**
 * Grouped by site and part of the period.
 *
 * @param partMs Length of a part; parts count from 0 at `filter.from`.
 */
export async function tallySites(
  db: Db,
  filter: QuestionFilter,
  partMs: number,
): Promise<(QuestionTally & { siteId: string; part: number })[]> {
  const siteIds = await listSiteIds(db, filter)
  if (siteIds.length === 0) return []
  const elapsed = sql`(asked.created_at - ${sql.lit(filter.from)})`
  const rows = await tally(db, filter, siteIds)
    .select(sql<DatabaseNumber>`(${elapsed} - ${elapsed} % ${sql.lit(partMs)}) / ${sql.lit(partMs)}`.as('part'))
    .select('asked.siteId')
    .groupBy(['asked.siteId', 'part'])
    .execute()
  return rows.map((row) => ({ ...toTally(row), siteId: row.siteId, part: Number(row.part) }))
}

/** Grouped by version, most questions first. @param limit Needed because requests may name any version. */
export async function tallyVersions(
  db: Db,
  filter: QuestionFilter,
  limit: number,
): Promise<(QuestionTally & { version: string | null })[]> {
  const siteIds = await listSiteIds(db, filter)
  if (siteIds.length === 0) return []
  const rows = await tally(db, filter, siteIds)
    .select('asked.version')
    .groupBy('asked.version')
    .orderBy('questions', 'desc')
    .orderBy('asked.version')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toTally(row), version: row.version }))
}

/** Times and sources of the newest answers, without their texts. */
export async function listAnswerFacts(
  db: Db,
  filter: QuestionFilter,
  limit: number,
): Promise<Pick<Message, 'siteId' | 'createdAt' | 'sources' | 'timings'>[]> {
  const siteIds = await listSiteIds(db, filter)
  if (siteIds.length === 0) return []
  return selectAnswers(db, filter, siteIds)
    .select(['answer.siteId', 'answer.createdAt', 'answer.sources', 'answer.timings'])
    .orderBy('answer.createdAt', 'desc')
    .limit(limit)
    .execute()
}

function tally(db: Db, filter: QuestionFilter, siteIds: readonly string[]) {
  const asked = selectAnswers(db, filter, siteIds)
    .select([
      'answer.siteId',
      'answer.createdAt',
      'answer.verdict',
      'answer.caller',
      'answer.version',
      'answer.costUsd',
    ])
    .select(liked().as('liked'))
  const count = (condition: Expression<unknown>) => sql<DatabaseNumber>`sum(case when ${condition} then 1 else 0 end)`
  return db
    .selectFrom(asked.as('asked'))
    .select(({ fn }) => [
      fn.countAll<DatabaseNumber>().as('questions'),
      count(sql`asked.verdict in (${sql.join(answerVerdicts.filter(isAnswer))})`).as('answered'),
      count(sql`asked.verdict in (${sql.join(refusalVerdicts)})`).as('unanswered'),
      count(sql`asked.verdict in ('failed', 'disconnected')`).as('broken'),
      count(sql`asked.liked = 1`).as('helpful'),
      count(sql`asked.liked = 0`).as('unhelpful'),
      fn.sum<DatabaseNumber | null>('asked.costUsd').as('costUsd'),
    ])
}

/** PostgreSQL returns counts and sums as text, because they may exceed JavaScript's safe integers. */
type DatabaseNumber = number | string

type TallyRow = Record<keyof Omit<QuestionTally, 'costUsd'>, DatabaseNumber> & { costUsd: DatabaseNumber | null }

function toTally(row: TallyRow): QuestionTally {
  return {
    questions: Number(row.questions),
    answered: Number(row.answered),
    unanswered: Number(row.unanswered),
    broken: Number(row.broken),
    helpful: Number(row.helpful),
    unhelpful: Number(row.unhelpful),
    costUsd: Number(row.costUsd ?? 0),
  }
}

/** The worst feedback: 0 if anyone found it unhelpful, null without feedback. */
function liked() {
  return sql<number | null>`(select min(feedback.is_helpful) from feedback where feedback.message_id = answer.id)`
}

/** The current answers that match the filter. */
function selectAnswers(db: Db, filter: QuestionFilter, siteIds: readonly string[]) {
  const { from, to, verdicts, feedback, caller, askedBy, isLacking, page, search } = filter
  let query = db
    .selectFrom('messages as answer')
    .where('answer.role', '=', 'assistant')
    .where('answer.replacedBy', 'is', null)
    .where('answer.questionId', 'is not', null)
    .where('answer.createdAt', '>=', from)
    .where('answer.createdAt', '<', to)
    .where('answer.siteId', 'in', siteIds)
  if (verdicts !== undefined) query = query.where('answer.verdict', 'in', verdicts)
  if (caller !== undefined) query = query.where('answer.caller', '=', caller)
  // What agents looked for in vain is not a question that a person asked.
  else if (isLacking !== true && askedBy === undefined)
    query = query.where(sql<SqlBool>`coalesce(answer.caller, '') <> 'agent'`)
  if (askedBy !== undefined) {
    const callers = sql.join(agentCallers.map((name) => sql.lit(name)))
    const isAgents = sql<SqlBool>`coalesce(answer.caller, '') in (${callers})`
    query = query.where(askedBy === 'agents' ? isAgents : sql<SqlBool>`not ${isAgents}`)
  }
  for (const column of ['keyId', 'language', 'version'] as const) {
    const value = filter[column]
    if (value !== undefined) query = query.where(`answer.${column}`, '=', value)
  }
  if (feedback !== undefined) query = query.where(hasFeedback(feedback))
  if (isLacking === true) {
    query = query.where((where) => where.or([where('answer.verdict', 'in', lackingVerdicts), hasFeedback('unhelpful')]))
  }
  if (page !== undefined) query = query.where(citesPage(page))
  if (search !== undefined) {
    query = query.where(
      sql<SqlBool>`exists (select 1 from messages as said
        where said.id in (answer.question_id, answer.id) and ${containsText('said', search)})`,
    )
  }
  return query
}

function hasFeedback(state: FeedbackState) {
  if (state === 'none') return sql<SqlBool>`${liked()} is null`
  return sql<SqlBool>`${liked()} = ${sql.lit(state === 'helpful' ? 1 : 0)}`
}

/** The column is JSON written by this room: a URL ends at its quote or at the fragment. */
function citesPage(page: string) {
  const text = escapeLike(JSON.stringify(page).slice(1, -1))
  return sql<SqlBool>`(answer.sources like ${`%${text}"%`} escape '\\' or answer.sources like ${`%${text}#%`} escape '\\')`
}
