import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'
import type { AuditChange } from './tables/accounts.ts'

export type { AuditChange } from './tables/accounts.ts'

/** What somebody has changed. Names are kept as they were then, because what they name may be gone. */
export interface AuditEntry {
  id: string
  organizationId: string
  actor: { kind: Row<'auditLog'>['actorKind']; id: string | null; name: string }
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
    .insertInto('auditLog')
    .values({
      id,
      organizationId,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      address,
      action,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      targetName: target?.name ?? null,
      changes,
      createdAt,
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
  let query = db.selectFrom('auditLog').selectAll().where('organizationId', '=', organizationId)
  if (action !== undefined) query = query.where('action', '=', action)
  if (actorId !== undefined) query = query.where('actorId', '=', actorId)
  if (targetId !== undefined) query = query.where('targetId', '=', targetId)
  if (since !== undefined) query = query.where('createdAt', '>=', since)
  if (until !== undefined) query = query.where('createdAt', '<', until)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toEntry, (row) => row.id)
}

export async function removeOldAuditEntries(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('auditLog').where('createdAt', '<', before).execute()
}

function toEntry(row: Row<'auditLog'>): AuditEntry {
  return {
    id: row.id,
    organizationId: row.organizationId,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    address: row.address,
    action: row.action,
    target: row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId, name: row.targetName },
    changes: row.changes,
    createdAt: row.createdAt,
  }
}
