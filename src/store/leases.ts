import { isDue, leaseMsMax } from './is-due.ts'
import type { Kysely } from 'kysely'
import { databaseTime } from './database-clock.ts'
import type { Database } from './schema.ts'

/** Names one holding of a lease. */
export interface LeaseClaim {
  /** What is done by one replica at a time: `repository:repo_01…`. */
  name: string
  /** No two holdings have the same. */
  owner: string
}

/**
 * Takes a lease that nobody holds, or whose holder has let it lapse. The database's clock decides.
 *
 * @returns Whether it was taken.
 */
export async function acquireLease(db: Kysely<Database>, { name, owner }: LeaseClaim, ttlMs: number): Promise<boolean> {
  const now = databaseTime(db)
  const row = await db
    .insertInto('leases')
    .values((values) => ({ name, owner, leaseUntil: values(now, '+', ttlMs) }))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((set) => ({ owner: set.ref('excluded.owner'), leaseUntil: set.ref('excluded.leaseUntil') }))
        .where(isDue('leases.leaseUntil', now, leaseMsMax)),
    )
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns False when it has lapsed: stop what it was for. */
export async function renewLease(db: Kysely<Database>, { name, owner }: LeaseClaim, ttlMs: number): Promise<boolean> {
  const now = databaseTime(db)
  const result = await db
    .updateTable('leases')
    .set((set) => ({ leaseUntil: set(now, '+', ttlMs) }))
    .where('name', '=', name)
    .where('owner', '=', owner)
    .where('leaseUntil', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Gives it back. One that lapsed and was taken by another stays with that one. */
export async function releaseLease(db: Kysely<Database>, { name, owner }: LeaseClaim): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}
