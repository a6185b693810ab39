import type { Kysely } from 'kysely'
import { parseItems } from './json-column.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** A field that was changed, with both values as people read them. */
export interface AuditChange {
  field: string
  from: string
  to: string
}

/** What somebody has changed. Names are kept as they were then, because what they name may be gone. */
export interface AuditEntry {
  id: string
  organizationId: string
  actor: { kind: Row<'audit_log'>['actor_kind']; id: string | null; name: string }
  /** The address that the request came from. */
  address: string
  action: string
  target: { kind: string; id: string | null; name: string | null } | null
  /** What is different now; null where the action says it all. */
  changes: AuditChange[] | null
  createdAt: number
}

export async function insertAuditEntry(db: Kysely<Database>, entry: AuditEntry): Promise<void> {
  const { id, organizationId, actor, address, action, target, changes, createdAt } = entry
  await db
    .insertInto('audit_log')
    .values({
      id,
      organization_id: organizationId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      address,
      action,
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      changes: changes === null ? null : JSON.stringify(changes),
      created_at: createdAt,
    })
    .execute()
}

export interface AuditRequest extends ListRequest {
  organizationId: string
  action?: string | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** Not before, and before: UTC milliseconds. */
  since?: number | undefined
  until?: number | undefined
}

/** Newest first; the cursor is an id. */
export async function listAuditEntries(db: Kysely<Database>, request: AuditRequest): Promise<Listing<AuditEntry>> {
  const { organizationId, action, actorId, targetId, since, until, limit, cursor } = request
  let query = db.selectFrom('audit_log').selectAll().where('organization_id', '=', organizationId)
  if (action !== undefined) query = query.where('action', '=', action)
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (targetId !== undefined) query = query.where('target_id', '=', targetId)
  if (since !== undefined) query = query.where('created_at', '>=', since)
  if (until !== undefined) query = query.where('created_at', '<', until)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toEntry, (row) => row.id)
}

export async function removeOldAuditEntries(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('audit_log').where('created_at', '<', before).execute()
}

function toEntry(row: Row<'audit_log'>): AuditEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    action: row.action,
    target: row.target_kind === null ? null : { kind: row.target_kind, id: row.target_id, name: row.target_name },
    changes: row.changes === null ? null : parseItems<AuditChange>('audit_log.changes', row.changes),
    createdAt: row.created_at,
  }
}
