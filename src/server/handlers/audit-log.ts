import type { auditLogOperations } from '../../contract/operations/accounts.ts'
import { listAuditEntries } from '../../store/accounts/audit-log.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Handlers of the audit log, which is read-only. */
export function createAuditLogHandlers({ store }: Pick<ServerDeps, 'store'>): Handlers<typeof auditLogOperations> {
  return {
    listAuditEntries: async ({ c, query: { since, until, ...query } }) => {
      const { items, nextCursor } = await listAuditEntries(store.durable, {
        ...query,
        organizationId: c.get('organizationId'),
        since: since === undefined ? undefined : Date.parse(since),
        until: until === undefined ? undefined : Date.parse(until),
      })
      return { items: items.map((entry) => ({ ...entry, changes: entry.changes ?? [] })), nextCursor }
    },
  }
}
