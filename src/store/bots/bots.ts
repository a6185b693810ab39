import type { BotPlatformName } from '../../contract/bot-platforms.ts'
import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** A bot of a site on a chat platform; a site has at most one on each. */
export type Bot = Row<'bots'>

/** Inserts a bot, or replaces all of the existing one but its id and creation time. */
export function saveBot(db: Db, bot: Bot): Promise<Bot> {
  return db
    .insertInto('bots')
    .values(bot)
    .onConflict((conflict) =>
      conflict.columns(['siteId', 'platform']).doUpdateSet((set) => ({
        account: set.ref('excluded.account'),
        credentialsSealed: set.ref('excluded.credentialsSealed'),
        settings: set.ref('excluded.settings'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** @returns The updated bot; null if it was removed. */
export function updateBot(db: Db, id: string, change: Partial<Pick<Bot, 'account' | 'settings'>>): Promise<Bot | null> {
  // Sets at least `id`, because an empty update is invalid SQL.
  const query = db.updateTable('bots').set({ id, ...change })
  return firstRow(query.where('id', '=', id).returningAll())
}

export function findBot(
  db: Db,
  { siteId, platform }: { siteId: string; platform: BotPlatformName },
): Promise<Bot | null> {
  const query = db.selectFrom('bots').selectAll().where('siteId', '=', siteId).where('platform', '=', platform)
  return firstRow(query)
}

export function getBot(db: Db, id: string): Promise<Bot | null> {
  return firstRow(db.selectFrom('bots').selectAll().where('id', '=', id))
}

/** Those of a site, or all; by platform. */
export function listBots(db: Db, { siteId }: { siteId?: string } = {}): Promise<Bot[]> {
  let query = db.selectFrom('bots').selectAll()
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  return query.orderBy('platform').orderBy('id').execute()
}

/** Cascades to its events. */
export async function deleteBot(db: Db, id: string): Promise<void> {
  await db.deleteFrom('bots').where('id', '=', id).execute()
}
