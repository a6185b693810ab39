import type { GapState, RetriedQuestion } from '../../contract/insights.ts'
import { hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/**
 * A gap in a site's documentation, identified by the first question that revealed it and deleted with that question.
 */
export interface Gap {
  id: string
  siteId: string
  questionId: string
  state: GapState
  jobId: string | null
  /** Results of asking its questions again, newest first. */
  retried: RetriedQuestion[]
  /** Why its last job did not close it. */
  failure: string | null
  /** That the site was built from when all its questions were answered. */
  commit: string | null
  /** When a rule of the site started its job. */
  ruledAt: number | null
  createdAt: number
  updatedAt: number
}

/** Inserts gaps, except for questions that have one already. @param gaps At most some hundreds. */
export async function insertGaps(db: Db, gaps: readonly Gap[]): Promise<void> {
  if (gaps.length === 0) return
  await db
    .insertInto('gaps')
    .values(gaps.map(toRow))
    .onConflict((conflict) => conflict.columns(['siteId', 'questionId']).doNothing())
    .execute()
}

export interface NamedGap extends Gap {
  /** The question that identifies it. */
  question: string
  askedAt: number
}

/** Longer than any stored text. */
const wholeText = 1_000_000_000

/** Oldest question first. @param request.charsMax Longest prefix to read of each question. */
export async function listGaps(
  db: Db,
  siteId: string,
  { limit, charsMax }: { limit: number; charsMax: number },
): Promise<NamedGap[]> {
  const rows = await selectGaps(db, charsMax).where('gaps.siteId', '=', siteId).limit(limit).execute()
  return rows.map(toNamedGap)
}

/** Returns the gap with its full question. */
export async function getGap(db: Db, id: string): Promise<NamedGap | null> {
  const row = await selectGaps(db, wholeText).where('gaps.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toNamedGap(row)
}

/** @returns Whether it exists. */
export function updateGap(
  db: Db,
  id: string,
  change: Partial<Pick<Gap, 'state' | 'jobId' | 'retried' | 'failure' | 'commit'>> & { updatedAt: number },
): Promise<boolean> {
  const { retried, ...rest } = change
  return hasChanged(
    db
      .updateTable('gaps')
      .set({ ...rest, ...(retried !== undefined && { answers: retried }) })
      .where('id', '=', id),
  )
}

/** A gap whose questions may have another answer now: the site was indexed after the gap was last checked. */
export interface DraftedGap {
  id: string
  state: GapState
  siteId: string
  siteSlug: string
  organizationId: string
  jobId: string
  updatedAt: number
}

/** Longest waiting first. @param states Gaps with a job are `drafted` or `fixed`. */
export async function listDraftedGaps(db: Db, states: readonly GapState[], limit: number): Promise<DraftedGap[]> {
  const rows = await db
    .selectFrom('gaps')
    .innerJoin('sites', 'sites.id', 'gaps.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select([
      'gaps.id',
      'gaps.state',
      'gaps.siteId',
      'gaps.jobId',
      'gaps.updatedAt',
      'sites.slug',
      'projects.organizationId',
    ])
    .where('gaps.state', 'in', [...states])
    .where('gaps.jobId', 'is not', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('indexGenerations')
          .select('indexGenerations.id')
          .whereRef('indexGenerations.siteId', '=', 'gaps.siteId')
          .whereRef('indexGenerations.createdAt', '>', 'gaps.updatedAt'),
      ),
    )
    .orderBy('gaps.updatedAt')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    siteId: row.siteId,
    siteSlug: row.slug,
    organizationId: row.organizationId,
    jobId: row.jobId ?? '',
    updatedAt: row.updatedAt,
  }))
}

/** Leaves a gap until there is a newer index, unless it has changed. */
export async function touchGap(
  db: Db,
  { id, state, updatedAt }: Pick<DraftedGap, 'id' | 'state' | 'updatedAt'>,
  now: number,
): Promise<void> {
  await db
    .updateTable('gaps')
    .set({ updatedAt: now })
    .where((where) => where.and({ id, updatedAt, state }))
    .execute()
}

/** A gap whose job has ended. */
export interface EndedGap {
  id: string
  jobId: string
  status: 'completed' | 'failed'
  failureMessage: string | null
  pullRequest: Row<'agentJobs'>['pullRequest']
}

/** Drafted gaps whose jobs have ended, with or without a pull request. */
export async function listEndedGaps(db: Db, limit: number): Promise<EndedGap[]> {
  const rows = await db
    .selectFrom('gaps')
    .innerJoin('agentJobs', 'agentJobs.id', 'gaps.jobId')
    .select(['gaps.id', 'gaps.jobId', 'agentJobs.status', 'agentJobs.failureMessage', 'agentJobs.pullRequest'])
    .where('gaps.state', '=', 'drafted')
    .where('agentJobs.status', '<>', 'active')
    .orderBy('gaps.updatedAt')
    .limit(limit)
    .execute()
  return rows.flatMap(({ jobId, status, ...row }) =>
    jobId === null || status === 'active' ? [] : [{ ...row, jobId, status }],
  )
}

/** Puts a drafted gap back, unless it has another job by now. */
export async function restoreGap(
  db: Db,
  { id, jobId }: Pick<EndedGap, 'id' | 'jobId'>,
  change: { failure: string; updatedAt: number },
): Promise<void> {
  await db
    .updateTable('gaps')
    .set({ state: 'open', ...change })
    .where((where) => where.and({ id, jobId, state: 'drafted' }))
    .execute()
}

/** How many jobs rules have started for a site since then. */
export async function countRuledGaps(db: Db, siteId: string, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('gaps')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('siteId', '=', siteId)
    .where('ruledAt', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many readers began these threads. Those without a fingerprint of their own count by thread. */
export async function countReaders(db: Db, siteId: string, threadIds: readonly string[]): Promise<number> {
  if (threadIds.length === 0) return 0
  const rows = await db
    .selectFrom('threads')
    .select(['id', 'fp'])
    .where('siteId', '=', siteId)
    .where('id', 'in', [...threadIds])
    .execute()
  return new Set(rows.map(({ id, fp }) => (fp === 'anonymous' ? `thread ${id}` : `reader ${fp}`))).size
}

/**
 * Links a gap to the job that is being created in the same transaction.
 *
 * @param ruledAt When a rule starts it; null if a person does.
 * @returns False if a rule found that the gap is no longer open.
 */
export function startGapJob(
  db: Db,
  id: string,
  { jobId, ruledAt, now }: { jobId: string; ruledAt: number | null; now: number },
): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('gaps')
      .set({ state: 'drafted', jobId, failure: null, updatedAt: now, ...(ruledAt !== null && { ruledAt }) })
      .where('id', '=', id)
      .where('state', 'in', ruledAt === null ? ['open', 'drafted', 'fixed'] : ['open']),
  )
}

function selectGaps(db: Db, charsMax: number) {
  return db
    .selectFrom('gaps')
    .innerJoin('messages', 'messages.id', 'gaps.questionId')
    .selectAll('gaps')
    .select(({ fn, val }) => fn<string>('substr', ['messages.text', val(1), val(charsMax)]).as('question'))
    .select('messages.createdAt as askedAt')
    .orderBy('messages.createdAt')
    .orderBy('gaps.id')
}

function toRow(gap: Gap): Row<'gaps'> {
  return {
    id: gap.id,
    siteId: gap.siteId,
    questionId: gap.questionId,
    state: gap.state,
    jobId: gap.jobId,
    answers: gap.retried,
    failure: gap.failure,
    commit: gap.commit,
    ruledAt: gap.ruledAt,
    createdAt: gap.createdAt,
    updatedAt: gap.updatedAt,
  }
}

function toNamedGap(row: Row<'gaps'> & { question: string; askedAt: number }): NamedGap {
  return {
    id: row.id,
    siteId: row.siteId,
    questionId: row.questionId,
    state: row.state,
    jobId: row.jobId,
    retried: row.answers,
    failure: row.failure,
    commit: row.commit,
    ruledAt: row.ruledAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    question: row.question,
    askedAt: row.askedAt,
  }
}
