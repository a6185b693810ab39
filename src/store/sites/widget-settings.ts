import { PostgresAdapter } from 'kysely'
import type { WidgetSettings, WidgetSettingsUpdate } from '../../contract/widget-settings.ts'
import { inTransaction } from '../in-transaction.ts'
import type { Db } from '../schema.ts'

/** Only what the owner has set; see `readWidgetSettings`. */
export async function getWidgetSettings(db: Db, siteId: string): Promise<Partial<WidgetSettings>> {
  const row = await db.selectFrom('widgetSettings').select('settings').where('siteId', '=', siteId).executeTakeFirst()
  return row?.settings ?? {}
}

/**
 * Stores the given settings and keeps the others, also those that somebody else changes at the same time. Null removes
 * one, so that its default applies.
 *
 * @returns What is set now; null if there is no such site.
 */
export function changeWidgetSettings(
  db: Db,
  siteId: string,
  change: WidgetSettingsUpdate,
): Promise<Partial<WidgetSettings> | null> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockSite(transaction, siteId))) return null
    const merged = { ...(await getWidgetSettings(transaction, siteId)), ...change }
    const kept = Object.entries(merged).filter(([, value]) => value != null)
    const settings = Object.fromEntries(kept) as Partial<WidgetSettings> // `fromEntries` loses the names.
    await transaction
      .insertInto('widgetSettings')
      .values({ siteId, settings })
      .onConflict((conflict) => conflict.column('siteId').doUpdateSet({ settings }))
      .execute()
    return settings
  })
}

/** SQLite has one writer anyway. */
async function lockSite(db: Db, siteId: string): Promise<boolean> {
  const query = db.selectFrom('sites').select('id').where('id', '=', siteId)
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  return (await (isPostgres ? query.forUpdate() : query).executeTakeFirst()) !== undefined
}
