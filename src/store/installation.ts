import type { Db } from './schema.ts'
import { hasRow } from './queries.ts'

/** Set once the first start has finished. */
export const firstStartName = 'first-start'

/** Reads a fact about the whole installation, such as whether the first start has finished. */
export async function getInstallationValue(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

export async function isFirstStartDone(db: Db): Promise<boolean> {
  return (await getInstallationValue(db, firstStartName)) !== null
}

/** @returns Whether this call set it. If false, an earlier value remains. */
export function setInstallationValueIfAbsent(db: Db, name: string, value: string): Promise<boolean> {
  return hasRow(
    db
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name'),
  )
}

export async function setInstallationValue(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function removeInstallationValue(db: Db, name: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', name).execute()
}

/** Unset names are absent from the result. */
export async function listInstallationValues(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('installation').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}
