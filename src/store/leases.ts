import { isDue, leaseMsMax } from './is-due.ts'
import { databaseTime } from './database-clock.ts'
import type { Db } from './schema.ts'
import { hasChanged, hasRow } from './queries.ts'

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
export function acquireLease(db: Db, { name, owner }: LeaseClaim, ttlMs: number): Promise<boolean> {
  const now = databaseTime(db)
  return hasRow(
    db
      .insertInto('leases')
      .values((values) => ({ name, owner, leaseUntil: values(now, '+', ttlMs) }))
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((set) => ({ owner: set.ref('excluded.owner'), leaseUntil: set.ref('excluded.leaseUntil') }))
          .where(isDue('leases.leaseUntil', now, leaseMsMax)),
      )
      .returning('name'),
  )
}

/** @returns False if the lease has expired: stop the work. */
export function renewLease(db: Db, { name, owner }: LeaseClaim, ttlMs: number): Promise<boolean> {
  const now = databaseTime(db)
  return hasChanged(
    db
      .updateTable('leases')
      .set((set) => ({ leaseUntil: set(now, '+', ttlMs) }))
      .where('name', '=', name)
      .where('owner', '=', owner)
      .where('leaseUntil', '>', now),
  )
}

/** Has no effect if the lease has expired and been acquired by another owner. */
export async function releaseLease(db: Db, { name, owner }: LeaseClaim): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}
