import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Set once the first start has finished. */
export const firstStartName = 'first-start'

/** Reads a fact about the whole installation, such as whether the first start has finished. */
export async function getInstallationValue(db: Kysely<Database>, name: string): Promise<string | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

export async function isFirstStartDone(db: Kysely<Database>): Promise<boolean> {
  return (await getInstallationValue(db, firstStartName)) !== null
}

/** @returns Whether this call set it. If false, an earlier value stands. */
export async function setInstallationValueIfAbsent(
  db: Kysely<Database>,
  name: string,
  value: string,
): Promise<boolean> {
  const row = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

export async function setInstallationValue(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function removeInstallationValue(db: Kysely<Database>, name: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', name).execute()
}

/** Unset names are absent from the result. */
export async function listInstallationValues(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.selectFrom('installation').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}
