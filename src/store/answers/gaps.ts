import type { Kysely } from 'kysely'
import type { GapState, ReaskedQuestion } from '../../contract/insights.ts'
import type { Database, Row } from '../schema.ts'

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
  reasked: ReaskedQuestion[]
  createdAt: number
  updatedAt: number
}

/** Inserts gaps, except for questions that have one already. @param gaps At most some hundreds. */
export async function insertGaps(db: Kysely<Database>, gaps: readonly Gap[]): Promise<void> {
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
  db: Kysely<Database>,
  siteId: string,
  { limit, charsMax }: { limit: number; charsMax: number },
): Promise<NamedGap[]> {
  const rows = await selectGaps(db, charsMax).where('gaps.siteId', '=', siteId).limit(limit).execute()
  return rows.map(toNamedGap)
}

/** With the full question. */
export async function getGap(db: Kysely<Database>, id: string): Promise<NamedGap | null> {
  const row = await selectGaps(db, wholeText).where('gaps.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toNamedGap(row)
}

/** @returns Whether it exists. */
export async function updateGap(
  db: Kysely<Database>,
  id: string,
  change: Partial<Pick<Gap, 'state' | 'jobId' | 'reasked'>> & { updatedAt: number },
): Promise<boolean> {
  const { state, jobId, reasked, updatedAt } = change
  const result = await db
    .updateTable('gaps')
    .set({
      updatedAt,
      ...(state !== undefined && { state }),
      ...(jobId !== undefined && { jobId }),
      ...(reasked !== undefined && { answers: reasked }),
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A gap whose job may have fixed it: the site was indexed after the gap was last checked. */
export interface DraftedGap {
  id: string
  siteId: string
  siteSlug: string
  organizationId: string
  jobId: string
  updatedAt: number
}

/** Longest waiting first. */
export async function listDraftedGaps(db: Kysely<Database>, limit: number): Promise<DraftedGap[]> {
  const rows = await db
    .selectFrom('gaps')
    .innerJoin('sites', 'sites.id', 'gaps.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select(['gaps.id', 'gaps.siteId', 'gaps.jobId', 'gaps.updatedAt', 'sites.slug', 'projects.organizationId'])
    .where('gaps.state', '=', 'drafted')
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
    siteId: row.siteId,
    siteSlug: row.slug,
    organizationId: row.organizationId,
    jobId: row.jobId ?? '',
    updatedAt: row.updatedAt,
  }))
}

/** @returns False if another caller claimed it first. */
export async function claimGap(
  db: Kysely<Database>,
  { id, updatedAt }: Pick<DraftedGap, 'id' | 'updatedAt'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('gaps')
    .set({ updatedAt: now })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .where('state', '=', 'drafted')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function selectGaps(db: Kysely<Database>, charsMax: number) {
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
    answers: gap.reasked,
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
    reasked: row.answers,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    question: row.question,
    askedAt: row.askedAt,
  }
}
