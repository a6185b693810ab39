import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Facts of the installation as a whole, such as whether the first start is done. */
export async function getInstallationValue(db: Kysely<Database>, name: string): Promise<string | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/** @returns Whether this call set it. False: another was first, and its value stands. */
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
