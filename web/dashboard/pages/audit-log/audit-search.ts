import { dayMs } from '../../../ui/durations.ts'
import { readSearch } from '../../shell/read-search.ts'

const readers = {
  action: readName,
  /** Id of a member or a key. */
  actor: readName,
  /** UTC days, such as `2026-03-01`, inclusive. */
  from: readDay,
  to: readDay,
  cursor: readName,
}

/** Search parameters of the page. */
export type AuditSearch = Partial<Record<keyof typeof readers, string | undefined>>

export function readAuditSearch(query: Record<string, unknown>): AuditSearch {
  return readSearch(query, readers)
}

function readName(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,200}$/.test(value) ? value : undefined
}

function readDay(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDay ? value : undefined
}

/** The filter as query parameters. */
export function toAuditQuery({ action, actor, from, to }: Omit<AuditSearch, 'cursor'>) {
  return {
    action,
    actorId: actor,
    since: from === undefined ? undefined : toTime(from, 0),
    until: to === undefined ? undefined : toTime(to, dayMs),
  }
}

function toTime(day: string, laterMs: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + laterMs).toISOString()
}
