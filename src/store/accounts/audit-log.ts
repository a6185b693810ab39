import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Db, Row } from '../schema.ts'
import type { AuditChange } from '../tables/accounts.ts'

export type { AuditChange } from '../tables/accounts.ts'

/** A change made by somebody. Names are stored as they were then, because the named things may be deleted. */
export interface AuditEntry {
  id: string
  organizationId: string
  actor: { kind: Row<'auditLog'>['actorKind']; id: string | null; name: string }
  /** The client's IP address. */
  address: string
  action: string
  target: { kind: string; id: string | null; name: string | null } | null
  /** Null if the action needs no details. */
  changes: AuditChange[] | null
  createdAt: number
}

export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  const { actor, target, ...rest } = entry
  await db
    .insertInto('auditLog')
    .values({
      ...rest,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      targetName: target?.name ?? null,
    })
    .execute()
}

export interface AuditRequest extends ListRequest {
  organizationId: string
  action?: string | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** UTC milliseconds, `since` inclusive, `until` exclusive. */
  since?: number | undefined
  until?: number | undefined
}

/** Newest first; the cursor is an id. */
export async function listAuditEntries(db: Db, request: AuditRequest): Promise<Listing<AuditEntry>> {
  const { organizationId, action, actorId, targetId, since, until } = request
  let query = db.selectFrom('auditLog').selectAll().where('organizationId', '=', organizationId)
  if (action !== undefined) query = query.where('action', '=', action)
  if (actorId !== undefined) query = query.where('actorId', '=', actorId)
  if (targetId !== undefined) query = query.where('targetId', '=', targetId)
  if (since !== undefined) query = query.where('createdAt', '>=', since)
  if (until !== undefined) query = query.where('createdAt', '<', until)
  const { items, nextCursor } = await listById(query, request, 'desc')
  return { items: items.map(toEntry), nextCursor }
}

export async function removeOldAuditEntries(db: Db, before: number): Promise<void> {
  await db.deleteFrom('auditLog').where('createdAt', '<', before).execute()
}

function toEntry(row: Row<'auditLog'>): AuditEntry {
  const { actorKind, actorId, actorName, targetKind, targetId, targetName, ...entry } = row
  return {
    ...entry,
    actor: { kind: actorKind, id: actorId, name: actorName },
    target: targetKind === null ? null : { kind: targetKind, id: targetId, name: targetName },
  }
}
