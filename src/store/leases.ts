import { isDue, leaseMsMax } from './is-due.ts'
import type { Kysely } from 'kysely'
import { databaseTime } from './database-clock.ts'
import type { Database } from './schema.ts'

/** One acquisition of a lease. */
export interface LeaseClaim {
  /** A task that one replica at a time performs: `repository:repo_01…`. */
  name: string
  /** Unique per acquisition. */
  owner: string
}

/**
 * Acquires a lease that is free or has expired, by the database's clock.
 *
 * @returns Whether it was acquired.
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

/** @returns False if the lease has expired: stop the work. */
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

/** Has no effect if the lease has expired and been acquired by another owner. */
export async function releaseLease(db: Kysely<Database>, { name, owner }: LeaseClaim): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}
