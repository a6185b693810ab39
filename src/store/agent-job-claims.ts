import { isDue, leaseMsMax } from './is-due.ts'
import { type Kysely, PostgresAdapter } from 'kysely'
import { toAgentJob } from './agent-job-row.ts'
import type { AgentJob } from './agent-jobs.ts'
import type { Database } from './schema.ts'

/** Names one claim of a job. */
export interface AgentJobClaim {
  id: string
  attempt: number
}

/**
 * Takes the job that waits longest, or whose lease has lapsed. No two callers get the same attempt.
 *
 * @param claim.leaseUntil When the claim lapses unless `renewAgentJobLease` moves it.
 */
export async function claimAgentJob(
  db: Kysely<Database>,
  claim: { owner: string; now: number; leaseUntil: number },
): Promise<AgentJob | null> {
  const row = await db
    .updateTable('agentJobs')
    .set((set) => ({
      attempt: set('attempt', '+', 1),
      leaseOwner: claim.owner,
      leaseUntil: claim.leaseUntil,
      updatedAt: claim.now,
    }))
    .where('id', '=', claimableJob(db, claim.now))
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAgentJob(row)
}

/** SQLite runs one writing statement at a time; PostgreSQL skips rows that another claim has locked. */
function claimableJob(db: Kysely<Database>, now: number) {
  const query = db
    .selectFrom('agentJobs as job')
    .select('job.id')
    .where('job.status', '=', 'active')
    .where((where) => where.or([where('job.leaseUntil', 'is', null), isDue('job.leaseUntil', now, leaseMsMax)]))
    .orderBy('job.updatedAt')
    .orderBy('job.id')
    .limit(1)
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query
}

/**
 * Moves the end of the lease. To hand a job back, as on shutdown, move it to now.
 *
 * @returns False when the claim is not the current one any more: stop the work at once.
 */
export async function renewAgentJobLease(
  db: Kysely<Database>,
  claim: AgentJobClaim & { leaseUntil: number },
): Promise<boolean> {
  const result = await db
    .updateTable('agentJobs')
    .set({ leaseUntil: claim.leaseUntil })
    .where('id', '=', claim.id)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** For the start of a process that is the only one on its database: whoever held the leases is dead. */
export async function releaseAgentJobLeases(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .updateTable('agentJobs')
    .set({ leaseUntil: now })
    .where('status', '=', 'active')
    .where('leaseUntil', 'is not', null)
    .execute()
}
