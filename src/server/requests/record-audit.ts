import type { ActorKind } from '../../contract/accounts.ts'
import { type AuditChange, insertAuditEntry } from '../../store/accounts/audit-log.ts'
import type { Store } from '../../store/store.ts'
import type { User } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The target of an action, and what the action changed. */
export interface AuditNote {
  /** Absent if the action is self-explanatory. */
  target?: { kind: string; id: string | null; name: string | null }
  /** Changed values, if the action is not self-explanatory. */
  changes?: AuditChange[]
}

export interface AuditEvent extends AuditNote {
  /** Noun and verb, such as `key-created`. */
  action: `${string}-${string}`
}

/** The actor of a request that carries neither key nor session: a person signing in. */
export interface AuditActor {
  organizationId: string
  actor: { kind: ActorKind; id: string | null; name: string }
}

/** Longest stored name, in characters. */
const nameCharsMax = 200

/**
 * Writes an audit log entry. `serveOperations` calls it for operations whose definition names an action.
 *
 * @param deps Its store may be the transaction that makes the change.
 * @param by Required if the request was not authenticated by `requireAdmin`.
 */
export async function recordAudit(
  c: AppContext,
  { store, clock, ids }: Pick<ServerDeps, 'clock' | 'ids'> & { store: Pick<Store, 'durable'> },
  { action, target, changes = [] }: AuditEvent,
  by: AuditActor = { organizationId: c.get('organizationId'), actor: c.get('actor') },
): Promise<void> {
  const { kind, id, name } = by.actor
  await insertAuditEntry(store.durable, {
    id: ids.prefixed('audit'),
    organizationId: by.organizationId,
    actor: { kind, id, name },
    address: c.get('clientAddress'),
    action,
    target: target === undefined ? null : { ...target, name: target.name?.slice(0, nameCharsMax) ?? null },
    changes: changes.length === 0 ? null : changes,
    createdAt: clock.now(),
  })
}

export function auditUser({ id, name, organizationId }: User): AuditActor {
  return { organizationId, actor: { kind: 'user', id, name } }
}
