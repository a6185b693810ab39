import type { CountedWindow } from './counters.ts'
import type { Db } from '../schema.ts'

export interface CountsRequest {
  name: string
  windowStart: number
  /** At most some hundreds. */
  subjects: readonly string[]
}

/** Counts of one window by subject; subjects without a count are absent. */
export async function readCounts(db: Db, request: CountsRequest): Promise<Map<string, number>> {
  const { name, windowStart, subjects } = request
  if (subjects.length === 0) return new Map()
  const rows = await db
    .selectFrom('counters')
    .select(['subject', 'count'])
    .where('name', '=', name)
    .where('windowStart', '=', windowStart)
    .where('subject', 'in', subjects)
    .execute()
  return new Map(rows.map(({ subject, count }) => [subject, count]))
}

export interface CountSeriesRequest {
  /** Matches all names that start with it. */
  namePrefix: string
  subjects: readonly string[]
  from: number
  to: number
  limit: number
}

/** Counts of windows that start within a period, newest first. */
export async function listCounts(db: Db, request: CountSeriesRequest): Promise<CountedWindow[]> {
  const { namePrefix, subjects, from, to, limit } = request
  if (subjects.length === 0) return []
  const rows = await db
    .selectFrom('counters')
    .selectAll()
    .where('name', '>=', namePrefix)
    .where('name', '<', `${namePrefix}\u{10ffff}`)
    .where('subject', 'in', subjects)
    .where('windowStart', '>=', from)
    .where('windowStart', '<', to)
    .orderBy('windowStart', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ windowStart, ...row }) => ({ ...row, windowStart }))
}
