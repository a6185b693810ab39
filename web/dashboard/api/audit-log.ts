import { queryOptions } from '@tanstack/react-query'
import type { AuditEntryResource } from '../../../src/contract/accounts.ts'
import { type ListPage, request, withQuery } from './request.ts'

export interface AuditFilter {
  action?: string | undefined
  /** Id of a member or a key. */
  actor?: string | undefined
  /** Days of UTC, such as `2026-03-01`, both included. */
  from?: string | undefined
  to?: string | undefined
}

const rowsOfPage = 50
const dayMs = 86_400_000

export function auditLogQuery({ action, actor, from, to }: AuditFilter, cursor: string | null) {
  const query = {
    action,
    actorId: actor,
    since: from === undefined ? null : toTime(from, 0),
    until: to === undefined ? null : toTime(to, dayMs),
    limit: rowsOfPage,
    cursor,
  }
  return queryOptions({
    queryKey: ['audit-log', query],
    queryFn: ({ signal }) =>
      request<ListPage<AuditEntryResource>>('GET', withQuery('/admin/v1/audit-log', query), undefined, signal),
  })
}

function toTime(day: string, laterMs: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + laterMs).toISOString()
}
