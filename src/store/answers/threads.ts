import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { containsText } from '../like-pattern.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { firstRow } from '../queries.ts'
import type { Database, Db, Row } from '../schema.ts'

/** A conversation on one site. The id is unique only within the site, because clients may choose it. */
export type Thread = Row<'threads'>

/**
 * Inserts threads, or advances `updatedAt` of existing ones, which keep their key hash, fp and creation time.
 *
 * @param threads At least one, no two with the same site and id.
 */
export async function saveThreads(db: Db, threads: readonly Thread[]): Promise<void> {
  await db
    .insertInto('threads')
    .values([...threads])
    .onConflict((conflict) =>
      conflict.columns(['siteId', 'id']).doUpdateSet((set) => ({
        updatedAt: set
          .case()
          .when('excluded.updatedAt', '>', set.ref('threads.updatedAt'))
          .then(set.ref('excluded.updatedAt'))
          .else(set.ref('threads.updatedAt'))
          .end(),
      })),
    )
    .execute()
}

export function getThread(db: Db, siteId: string, id: string): Promise<Thread | null> {
  return firstRow(db.selectFrom('threads').selectAll().where('siteId', '=', siteId).where('id', '=', id))
}

/** Absent fields match everything. */
export interface ThreadFilter {
  /** UTC milliseconds of the newest answer; `to` is exclusive. */
  from?: number | undefined
  to?: number | undefined
  verdict?: string | undefined
  isHelpful?: boolean | undefined
  /** Contained in a question or an answer. */
  search?: string | undefined
}

type ThreadQuery = SelectQueryBuilder<Database, 'threads', Row<'threads'>>

function filterThreads(all: ThreadQuery, { from, to, verdict, isHelpful, search }: ThreadFilter): ThreadQuery {
  let query = all
  if (from !== undefined) query = query.where('updatedAt', '>=', from)
  if (to !== undefined) query = query.where('updatedAt', '<', to)
  const messages = sql`messages.site_id = threads.site_id and messages.thread_id = threads.id
    and messages.replaced_by is null`
  if (verdict !== undefined) {
    query = query.where(sql<SqlBool>`exists (select 1 from messages where ${messages} and verdict = ${verdict})`)
  }
  if (isHelpful !== undefined) {
    query = query.where(sql<SqlBool>`exists (select 1 from messages join feedback on feedback.message_id = messages.id
      where ${messages} and feedback.is_helpful = ${isHelpful ? 1 : 0})`)
  }
  if (search !== undefined) {
    query = query.where(
      sql<SqlBool>`exists (select 1 from messages where ${messages} and ${containsText('messages', search)})`,
    )
  }
  return query
}

/** Last answered first. The cursor is opaque; a foreign one starts from the top. */
export async function listThreads(
  db: Db,
  siteId: string,
  request: ListRequest & ThreadFilter,
): Promise<Listing<Thread>> {
  const after = parseCursor(request.cursor)
  let query = filterThreads(db.selectFrom('threads').selectAll().where('siteId', '=', siteId), request)
  if (after !== null) {
    query = query.where((where) =>
      where.or([
        where('updatedAt', '<', after.updatedAt),
        where.and([where('updatedAt', '=', after.updatedAt), where('id', '<', after.id)]),
      ]),
    )
  }
  const rows = await query
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .execute()
  return toListing(
    rows,
    request.limit,
    (row) => row,
    (row) => `${row.updatedAt}.${row.id}`,
  )
}

function parseCursor(cursor: string | null | undefined): { updatedAt: number; id: string } | null {
  const match = /^(\d{1,15})\.(.+)$/su.exec(cursor ?? '')
  return match === null ? null : { updatedAt: Number(match[1]), id: match[2] ?? '' }
}
