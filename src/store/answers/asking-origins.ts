import type { Db } from '../schema.ts'

/** @returns When the widget was last asked on each origin, the newest first, at most 100. */
export async function listAskingOrigins(
  db: Db,
  { siteId, since }: { siteId: string; since: number },
): Promise<{ origin: string; askedAt: number }[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['origin', ({ fn }) => fn.max('createdAt').as('askedAt')])
    .where('siteId', '=', siteId)
    .where('role', '=', 'assistant')
    .where('createdAt', '>=', since)
    .where('caller', '=', 'widget')
    .where('origin', 'is not', null)
    .groupBy('origin')
    .orderBy('askedAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ origin, askedAt }) => ({ origin: origin ?? '', askedAt }))
}
