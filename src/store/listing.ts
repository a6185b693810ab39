/** What a list asks for: at most `limit` items, at least 1, that come after the cursor. */
export interface ListRequest {
  limit: number
  /** `nextCursor` of the listing before; absent, null or empty for the first. */
  cursor?: string | null | undefined
}

/** A part of a list. `nextCursor` is null at the end of the list. */
export interface Listing<Item> {
  items: Item[]
  nextCursor: string | null
}

/** A query that is listed by id; the query layer's builders are. */
interface IdQuery<Row> {
  where(column: 'id', operator: '<' | '>', value: string): IdQuery<Row>
  orderBy(column: 'id', direction: 'asc' | 'desc'): IdQuery<Row>
  limit(limit: number): IdQuery<Row>
  execute(): Promise<Row[]>
}

/** The rows of a query by id, where the cursor is an id too. */
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

/** @param rows Up to `limit + 1` rows: the one too many tells that the list goes on. */
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
