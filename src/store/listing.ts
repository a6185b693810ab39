/** Requests at most `limit` items, at least 1, after the cursor. */
export interface ListRequest {
  limit: number
  /** `nextCursor` of the previous page; absent, null or empty for the first. */
  cursor?: string | null | undefined
}

/** One page of a list. `nextCursor` is null on the last page. */
export interface Listing<Item> {
  items: Item[]
  nextCursor: string | null
}

/** A query paged by id, as Kysely builds them. */
interface IdQuery<Row> {
  where(column: 'id', operator: '<' | '>', value: string): IdQuery<Row>
  orderBy(column: 'id', direction: 'asc' | 'desc'): IdQuery<Row>
  limit(limit: number): IdQuery<Row>
  execute(): Promise<Row[]>
}

/** Pages a query by id; the cursor is the last id. */
export async function listById<Row extends { id: string }>(
  query: IdQuery<Row>,
  { limit, cursor }: ListRequest,
  order: 'asc' | 'desc' = 'asc',
): Promise<Listing<Row>> {
  const rest = cursor ? query.where('id', order === 'asc' ? '>' : '<', cursor) : query
  const rows = await rest
    .orderBy('id', order)
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** @param rows Up to `limit + 1` rows; the extra one shows that there is a next page. */
export function toListing<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Listing<Item> {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? cursorOf(last) : null
  return { items: kept.map(toItem), nextCursor }
}
