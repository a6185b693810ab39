import type { Kysely } from 'kysely'
import type { GapState, ReaskedQuestion } from '../contract/insights.ts'
import { parseItems } from './json-column.ts'
import type { Database, Row } from './schema.ts'

/** What the documentation of a site lacks, named by the first question that showed it. It goes when that question does. */
export interface Gap {
  id: string
  siteId: string
  questionId: string
  state: GapState
  jobId: string | null
  /** What came of asking its questions again, newest first. */
  reasked: ReaskedQuestion[]
  createdAt: number
  updatedAt: number
}

/** Inserts those whose question has none yet. @param gaps At most some hundreds. */
export async function insertGaps(db: Kysely<Database>, gaps: readonly Gap[]): Promise<void> {
  if (gaps.length === 0) return
  await db
    .insertInto('gaps')
    .values(gaps.map(toRow))
    .onConflict((conflict) => conflict.columns(['site_id', 'question_id']).doNothing())
    .execute()
}

export interface NamedGap extends Gap {
  /** The question that names it. */
  question: string
  askedAt: number
}

/** No text that is stored is longer. */
const wholeText = 1_000_000_000

/** Oldest question first. @param request.charsMax What is read of each question. */
export async function listGaps(
  db: Kysely<Database>,
  siteId: string,
  { limit, charsMax }: { limit: number; charsMax: number },
): Promise<NamedGap[]> {
  const rows = await selectGaps(db, charsMax).where('gaps.site_id', '=', siteId).limit(limit).execute()
  return rows.map(toNamedGap)
}

/** With its whole question. */
export async function getGap(db: Kysely<Database>, id: string): Promise<NamedGap | null> {
  const row = await selectGaps(db, wholeText).where('gaps.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toNamedGap(row)
}

/** @returns Whether there is one. */
export async function updateGap(
  db: Kysely<Database>,
  id: string,
  change: Partial<Pick<Gap, 'state' | 'jobId' | 'reasked'>> & { updatedAt: number },
): Promise<boolean> {
  const { state, jobId, reasked, updatedAt } = change
  const result = await db
    .updateTable('gaps')
    .set({
      updated_at: updatedAt,
      ...(state !== undefined && { state }),
      ...(jobId !== undefined && { job_id: jobId }),
      ...(reasked !== undefined && { answers: JSON.stringify(reasked) }),
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A gap whose job may have mended it: the site was indexed since the gap was looked at last. */
export interface DraftedGap {
  id: string
  siteId: string
  siteSlug: string
  organizationId: string
  jobId: string
  updatedAt: number
}

/** The one first that waits longest. */
export async function listDraftedGaps(db: Kysely<Database>, limit: number): Promise<DraftedGap[]> {
  const rows = await db
    .selectFrom('gaps')
    .innerJoin('sites', 'sites.id', 'gaps.site_id')
    .innerJoin('projects', 'projects.id', 'sites.project_id')
    .select(['gaps.id', 'gaps.site_id', 'gaps.job_id', 'gaps.updated_at', 'sites.slug', 'projects.organization_id'])
    .where('gaps.state', '=', 'drafted')
    .where('gaps.job_id', 'is not', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('index_generations')
          .select('index_generations.id')
          .whereRef('index_generations.site_id', '=', 'gaps.site_id')
          .whereRef('index_generations.created_at', '>', 'gaps.updated_at'),
      ),
    )
    .orderBy('gaps.updated_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    siteId: row.site_id,
    siteSlug: row.slug,
    organizationId: row.organization_id,
    jobId: row.job_id ?? '',
    updatedAt: row.updated_at,
  }))
}

/** @returns False when another was first. */
export async function claimGap(
  db: Kysely<Database>,
  { id, updatedAt }: Pick<DraftedGap, 'id' | 'updatedAt'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('gaps')
    .set({ updated_at: now })
    .where('id', '=', id)
    .where('updated_at', '=', updatedAt)
    .where('state', '=', 'drafted')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function selectGaps(db: Kysely<Database>, charsMax: number) {
  return db
    .selectFrom('gaps')
    .innerJoin('messages', 'messages.id', 'gaps.question_id')
    .selectAll('gaps')
    .select(({ fn, val }) => fn<string>('substr', ['messages.text', val(1), val(charsMax)]).as('question'))
    .select('messages.created_at as asked_at')
    .orderBy('messages.created_at')
    .orderBy('gaps.id')
}

function toRow(gap: Gap): Row<'gaps'> {
  return {
    id: gap.id,
    site_id: gap.siteId,
    question_id: gap.questionId,
    state: gap.state,
    job_id: gap.jobId,
    answers: JSON.stringify(gap.reasked),
    created_at: gap.createdAt,
    updated_at: gap.updatedAt,
  }
}

function toNamedGap(row: Row<'gaps'> & { question: string; asked_at: number }): NamedGap {
  return {
    id: row.id,
    siteId: row.site_id,
    questionId: row.question_id,
    state: row.state,
    jobId: row.job_id,
    reasked: parseItems<ReaskedQuestion>('gaps.answers', row.answers),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    question: row.question,
    askedAt: row.asked_at,
  }
}
