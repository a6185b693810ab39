import type { ActorKind } from '../../contract/accounts.ts'
import { type AuditChange, insertAuditEntry } from '../../store/accounts/audit-log.ts'
import type { Store } from '../../store/store.ts'
import type { User } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** What an action was done to, and what it changed. */
export interface AuditNote {
  /** Absent where the action says it all. */
  target?: { kind: string; id: string | null; name: string | null }
  /** What is different now, where the action does not say it all. */
  changes?: AuditChange[]
}

export interface AuditEvent extends AuditNote {
  /** Noun and verb, such as `key-created`. */
  action: `${string}-${string}`
}

/** Who acts where no key or session has been looked at: somebody who is about to sign in. */
export interface AuditActor {
  organizationId: string
  actor: { kind: ActorKind; id: string | null; name: string }
}

/** Longest name that is kept, in characters. */
const nameCharsMax = 200

/**
 * Writes down who has changed what. `serveOperations` calls it for operations whose definition names an action.
 *
 * @param deps Its store may be the transaction that makes the change.
 * @param by Only where the request was let on without `requireAdmin`.
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
