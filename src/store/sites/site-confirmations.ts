import { inTransaction } from '../in-transaction.ts'
import type { Db } from '../schema.ts'
import type { SelfCheck } from '../tables/sites.ts'
import { getServedIndexGeneration } from './index-generations.ts'

/**
 * Whether an index may go live only when the site's owner has confirmed its page addresses: they are doubtful, and
 * differ from those that went live before. Sites that are live without a recorded origin stay live.
 */
export async function needsConfirmation(
  db: Db,
  siteId: string,
  { isDoubtful, addressOrigin }: Pick<SelfCheck, 'isDoubtful' | 'addressOrigin'>,
): Promise<boolean> {
  if (!isDoubtful) return false
  const site = await db.selectFrom('sites').select('confirmedOrigin').where('id', '=', siteId).executeTakeFirst()
  const confirmed = site?.confirmedOrigin ?? null
  if (confirmed !== null) return confirmed !== addressOrigin
  return (await getServedIndexGeneration(db, siteId)) === null
}

/** Remembers where the addresses of a live site come from, and lets its waiting generations go live. */
export function confirmOrigin(
  db: Db,
  siteId: string,
  { addressOrigin }: Pick<SelfCheck, 'addressOrigin'>,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.updateTable('sites').set({ confirmedOrigin: addressOrigin }).where('id', '=', siteId).execute()
    await transaction.updateTable('indexGenerations').set({ isWaiting: false }).where('siteId', '=', siteId).execute()
  })
}
