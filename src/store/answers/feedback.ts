import { escapeLike } from '../like-pattern.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { selectSiteIds } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** A reader's feedback on an answer or a page. One per message or page, and reader. */
export type Feedback = Row<'feedback'>

/** The thread of an answer; null if the site has no such answer. */
export async function findAnswerThread(db: Db, siteId: string, messageId: string): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('threadId')
    .where((where) => where.and({ id: messageId, siteId, role: 'assistant' }))
    .executeTakeFirst()
  return row?.threadId ?? null
}

/** Inserts feedback, or replaces the reader's earlier feedback on the same, keeping its id and creation time. */
export function saveFeedback(db: Db, feedback: Feedback): Promise<Feedback> {
  return db
    .insertInto('feedback')
    .values(feedback)
    .onConflict((conflict) =>
      (feedback.messageId === null
        ? conflict.columns(['siteId', 'path', 'fp']).where('messageId', 'is', null)
        : conflict.columns(['messageId', 'fp'])
      ).doUpdateSet((set) => ({
        isHelpful: set.ref('excluded.isHelpful'),
        reason: set.ref('excluded.reason'),
        note: set.ref('excluded.note'),
        updatedAt: set.ref('excluded.updatedAt'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface FeedbackRequest extends ListRequest {
  organizationId: string
  siteId?: string | undefined
  isHelpful?: boolean | undefined
  /** Only feedback on answers, or on pages. */
  about?: 'answer' | 'page' | undefined
  /** Only feedback whose `fp` begins with it. */
  fpPrefix?: string | undefined
}

/** Newest first; the cursor is an id. */
export function listFeedback(db: Db, request: FeedbackRequest): Promise<Listing<Feedback>> {
  const { organizationId, siteId, isHelpful, about, fpPrefix } = request
  let query = db.selectFrom('feedback').selectAll().where('siteId', 'in', selectSiteIds(db, organizationId))
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  if (isHelpful !== undefined) query = query.where('isHelpful', '=', isHelpful)
  if (about !== undefined) query = query.where('messageId', about === 'page' ? 'is' : 'is not', null)
  if (fpPrefix !== undefined) query = query.where('fp', 'like', `${escapeLike(fpPrefix)}%`)
  return listById(query, request, 'desc')
}

/** Combined feedback per message: unhelpful as soon as one reader says so. Messages without feedback are absent. */
export async function listFeedbackStates(
  db: Db,
  messageIds: readonly string[],
): Promise<Map<string, 'helpful' | 'unhelpful'>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('feedback')
    .select(({ fn }) => ['messageId', fn.min<number>('isHelpful').as('least')])
    .where('messageId', 'in', messageIds)
    .groupBy('messageId')
    .execute()
  return new Map(rows.map(({ messageId, least }) => [messageId ?? '', least === 0 ? 'unhelpful' : 'helpful']))
}

/** The newest feedback on each message, at most `limit`. Messages without feedback are absent. */
export async function listRatings(
  db: Db,
  messageIds: readonly string[],
  limit: number,
): Promise<Map<string, Feedback[]>> {
  const ratings = new Map<string, Feedback[]>()
  for (const messageId of messageIds) {
    const query = db.selectFrom('feedback').selectAll().where('messageId', '=', messageId)
    const rows = await query.orderBy('updatedAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    if (rows.length > 0) ratings.set(messageId, rows)
  }
  return ratings
}
