import type { AuditEntryResource } from '../../contract/accounts.ts'
import type { auditLogOperations } from '../../contract/operations/accounts.ts'
import { type AuditEntry, listAuditEntries } from '../../store/accounts/audit-log.ts'
import { toIsoTime } from '../replies/iso-time.ts'
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
      return { items: items.map(toResource), nextCursor }
    },
  }
}

function toResource({ id, actor, address, action, target, changes, createdAt }: AuditEntry): AuditEntryResource {
  return { id, actor, address, action, target, changes: changes ?? [], createdAt: toIsoTime(createdAt) }
}
