import { CompiledQuery } from 'kysely'
import type { Db } from '../schema.ts'
import type { Store } from '../store.ts'

/** A limit on a request: how often `name` may happen for `subject` in the window that starts at `windowStart`. */
export interface LimitTake {
  name: string
  subject: string
  /** UTC milliseconds. */
  windowStart: number
  max: number
}

/** `counts` are in the order of the request and include this use if it was taken. */
export type TakeResult =
  | { taken: true; counts: number[] }
  | { taken: false; /** Index of the first exhausted limit. */ refusedBy: number; counts: number[] }

/**
 * Counts one use against every limit, or against none if any is exhausted.
 *
 * One statement on the relaxed connection: exact under any concurrency and across replicas. Power loss may lose the
 * last moments, but no use that precedes a durable write to the same database, which flushes everything before it.
 *
 * @param limits No two with the same name, subject and window.
 * @param db The caller's transaction, if it writes what is being counted.
 */
export function consumeLimits(
  store: Pick<Store, 'dialect' | 'relaxed'>,
  limits: readonly LimitTake[],
  db: Db = store.relaxed,
): Promise<TakeResult> {
  if (limits.length === 0) return Promise.resolve({ taken: true, counts: [] })
  return store.dialect === 'sqlite' ? takeInSqlite(db, limits) : takeInPostgres(db, limits)
}

/** Gives one use back to every limit. One statement each, so that concurrent calls cannot deadlock. */
export async function returnLimits(db: Db, limits: readonly LimitTake[]): Promise<void> {
  for (const { name, subject, windowStart } of limits) {
    await db
      .updateTable('counters')
      .set((set) => ({ count: set('count', '-', 1) }))
      .where((where) => where.and({ name, subject, windowStart }))
      .where('count', '>', 0)
      .execute()
  }
}

/** The count of one subject in one window. */
export interface CountedWindow {
  name: string
  subject: string
  /** UTC milliseconds. */
  windowStart: number
  count: number
}

/** Bounds a statement's parameters. */
const countsPerStatement = 200

/**
 * Adds to counts regardless of limits: for mere statistics, and for uses that were allowed without a check.
 *
 * @param counts No two with the same name, subject and window. Written in statements of 200.
 */
export async function addCounts(db: Db, counts: readonly CountedWindow[]): Promise<void> {
  for (let start = 0; start < counts.length; start += countsPerStatement) {
    const batch = counts.slice(start, start + countsPerStatement)
    await db
      .insertInto('counters')
      .values(batch.map(({ windowStart, ...count }) => ({ ...count, windowStart })))
      .onConflict((conflict) =>
        conflict
          .columns(['name', 'subject', 'windowStart'])
          .doUpdateSet((set) => ({ count: set('counters.count', '+', set.ref('excluded.count')) })),
      )
      .execute()
  }
}

/** Deletes windows that started before a given time. Choose it such that they have ended. */
export async function removeOldCounters(db: Db, startedBefore: number): Promise<void> {
  await db.deleteFrom('counters').where('windowStart', '<', startedBefore).execute()
}

/** Counters with windows of an hour or less, which during a flood would outnumber all other rows. */
const shortLived = ['network-minute', 'net-minute', 'proof', 'session', 'search-ip', 'block-org', 'block-search']

/** Deletes short windows that started before a given time. */
export async function removeShortCounters(db: Db, startedBefore: number): Promise<void> {
  await db.deleteFrom('counters').where('windowStart', '<', startedBefore).where('name', 'in', shortLived).execute()
}

type CounterRow = Pick<LimitTake, 'name' | 'subject' | 'windowStart'> & { count: number }

async function takeInSqlite(db: Db, limits: readonly LimitTake[]): Promise<TakeResult> {
  const rows = await selectRows<CounterRow>(
    db,
    sqliteTakeStatement(limits.length),
    limits.flatMap(({ name, subject, windowStart, max }) => [name, subject, windowStart, max]),
  )
  if (rows.length > 0) return { taken: true, counts: limits.map((limit) => countOf(rows, limit)) }
  return describeRefusal(db, limits)
}

/** SQLite holds the only write lock during the whole statement, so that no use slips in between check and count. */
function sqliteTakeStatement(length: number): string {
  const wanted = Array.from({ length }, () => '(?, ?, ?, ?)').join(', ')
  return `with wanted (name, subject, window_start, most) as (values ${wanted})
insert into counters (name, subject, window_start, count)
select name, subject, window_start, 1 from wanted
where not exists (
  select 1 from wanted left join counters using (name, subject, window_start)
  where coalesce(counters.count, 0) >= wanted.most
)
on conflict (name, subject, window_start) do update set count = count + 1
returning name, subject, window_start as "windowStart", count`
}

/** If a use was given back since, no limit appears exhausted any more; the first one is reported then. */
async function describeRefusal(db: Db, limits: readonly LimitTake[]): Promise<TakeResult> {
  const keys = limits.map(() => '(?, ?, ?)').join(', ')
  const rows = await selectRows<CounterRow>(
    db,
    `select name, subject, window_start as "windowStart", count from counters
where (name, subject, window_start) in (values ${keys})`,
    limits.flatMap(({ name, subject, windowStart }) => [name, subject, windowStart]),
  )
  const counts = limits.map((limit) => countOf(rows, limit))
  const refusedBy = limits.findIndex(({ max }, index) => (counts[index] ?? 0) >= max)
  return { taken: false, refusedBy: Math.max(0, refusedBy), counts }
}

function countOf(rows: readonly CounterRow[], limit: LimitTake): number {
  const isSame = (row: CounterRow) =>
    row.name === limit.name && row.subject === limit.subject && row.windowStart === limit.windowStart
  return rows.find(isSame)?.count ?? 0
}

/**
 * Rows are sorted, so that concurrent calls that share several of them lock them in the same order and never deadlock.
 */
async function takeInPostgres(db: Db, limits: readonly LimitTake[]): Promise<TakeResult> {
  const sorted = limits
    .map((limit, index) => ({ limit, index, order: `${limit.name}\u0000${limit.subject}\u0000${limit.windowStart}` }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const rows = await selectRows<{ taken: boolean; counts: number[] }>(
    db,
    'select taken, counts from docent_take_limits($1::text[], $2::text[], $3::bigint[], $4::bigint[])',
    [
      sorted.map(({ limit }) => limit.name),
      sorted.map(({ limit }) => limit.subject),
      sorted.map(({ limit }) => limit.windowStart),
      sorted.map(({ limit }) => limit.max),
    ],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The database counted nothing and refused nothing: run the migrations again.')
  const counts = limits.map((_, index) => row.counts[sorted.findIndex((entry) => entry.index === index)] ?? 0)
  if (row.taken) return { taken: true, counts }
  const refusedBy = limits.findIndex(({ max }, index) => (counts[index] ?? 0) >= max)
  return { taken: false, refusedBy: Math.max(0, refusedBy), counts }
}

/** Bypasses the query builder: building the query for every answer costs more than running it. */
async function selectRows<Row>(db: Db, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]))
  // The caller knows the rows of its own statement.
  return rows as Row[]
}
