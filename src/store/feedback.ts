import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** What a reader says of an answer. One per message and reader. */
export interface Feedback {
  id: string
  siteId: string
  threadId: string
  messageId: string
  /** The reader, as the client names them. */
  fp: string
  isHelpful: boolean
  reason: string | null
  note: string | null
  createdAt: number
  updatedAt: number
}

/** The thread of an answer; null when the site has no such answer. */
export async function findAnswerThread(
  db: Kysely<Database>,
  siteId: string,
  messageId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('thread_id')
    .where('id', '=', messageId)
    .where('site_id', '=', siteId)
    .where('role', '=', 'assistant')
    .executeTakeFirst()
  return row?.thread_id ?? null
}

/** Inserts, or changes what the same reader said of the same message before: id and creation stay. */
export async function saveFeedback(db: Kysely<Database>, feedback: Feedback): Promise<Feedback> {
  const row = await db
    .insertInto('feedback')
    .values({
      id: feedback.id,
      site_id: feedback.siteId,
      thread_id: feedback.threadId,
      message_id: feedback.messageId,
      fp: feedback.fp,
      is_helpful: feedback.isHelpful ? 1 : 0,
      reason: feedback.reason,
      note: feedback.note,
      created_at: feedback.createdAt,
      updated_at: feedback.updatedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'fp']).doUpdateSet((set) => ({
        is_helpful: set.ref('excluded.is_helpful'),
        reason: set.ref('excluded.reason'),
        note: set.ref('excluded.note'),
        updated_at: set.ref('excluded.updated_at'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFeedback(row)
}

export interface FeedbackRequest extends ListRequest {
  organizationId: string
  siteId?: string | undefined
  isHelpful?: boolean | undefined
}

/** Newest first; the cursor is an id. */
export async function listFeedback(db: Kysely<Database>, request: FeedbackRequest): Promise<Listing<Feedback>> {
  const { organizationId, siteId, isHelpful, limit, cursor } = request
  let query = db
    .selectFrom('feedback')
    .selectAll()
    .where('site_id', 'in', (select) =>
      select
        .selectFrom('sites')
        .innerJoin('projects', 'projects.id', 'sites.project_id')
        .select('sites.id')
        .where('projects.organization_id', '=', organizationId),
    )
  if (siteId !== undefined) query = query.where('site_id', '=', siteId)
  if (isHelpful !== undefined) query = query.where('is_helpful', '=', isHelpful ? 1 : 0)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toFeedback, (row) => row.id)
}

/** What readers said of each of these messages, where any did: unhelpful as soon as one says so. */
export async function listFeedbackStates(
  db: Kysely<Database>,
  messageIds: readonly string[],
): Promise<Map<string, 'helpful' | 'unhelpful'>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('feedback')
    .select(({ fn }) => ['message_id', fn.min('is_helpful').as('least')])
    .where('message_id', 'in', messageIds)
    .groupBy('message_id')
    .execute()
  return new Map(rows.map(({ message_id, least }) => [message_id, least === 0 ? 'unhelpful' : 'helpful']))
}

function toFeedback(row: Row<'feedback'>): Feedback {
  return {
    id: row.id,
    siteId: row.site_id,
    threadId: row.thread_id,
    messageId: row.message_id,
    fp: row.fp,
    isHelpful: row.is_helpful === 1,
    reason: row.reason,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
