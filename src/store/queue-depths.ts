import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** How much work of one kind there is. */
export interface QueueDepth {
  name: 'syncs' | 'jobs' | 'webhooks' | 'webhook-sends'
  waiting: number
  running: number
  /** Since when the oldest of those that wait does; UTC milliseconds. */
  oldestAt: number | null
}

/** A queue of more is as good as endless. */
const rowsMax = 10_000

/** The work of an organization that waits and that is being done. */
export async function readQueueDepths(
  db: Kysely<Database>,
  { organizationId, now }: { organizationId: string; now: number },
): Promise<QueueDepth[]> {
  const sites = db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.project_id')
    .select('sites.id')
    .where('projects.organization_id', '=', organizationId)
  const runs = await db
    .selectFrom('index_runs')
    .select(['state', 'created_at as at'])
    .where('site_id', 'in', sites)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  const jobs = await db
    .selectFrom('agent_jobs')
    .select(['lease_until', 'updated_at as at'])
    .where('site_id', 'in', sites)
    .where('status', '=', 'active')
    .execute()
  const deliveries = await db
    .selectFrom('webhook_deliveries')
    .select(['attempt', 'run_at', 'received_at as at'])
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'queued')
    .limit(rowsMax)
    .execute()
  const sends = await db
    .selectFrom('webhook_sends')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_sends.endpoint_id')
    .select(['webhook_sends.attempt', 'webhook_sends.run_at', 'webhook_sends.created_at as at'])
    .where('webhook_endpoints.organization_id', '=', organizationId)
    .where('webhook_sends.state', '=', 'queued')
    .limit(rowsMax)
    .execute()
  // Between two tries a row looks as it does while it is worked on.
  const isTaken = ({ attempt, run_at }: { attempt: number; run_at: number }) => attempt > 0 && run_at > now
  return [
    toDepth('syncs', runs, ({ state }) => state === 'running'),
    toDepth('jobs', jobs, ({ lease_until }) => lease_until !== null && lease_until > now),
    toDepth('webhooks', deliveries, isTaken),
    toDepth('webhook-sends', sends, isTaken),
  ]
}

function toDepth<Item extends { at: number }>(
  name: QueueDepth['name'],
  items: readonly Item[],
  isRunning: (item: Item) => boolean,
): QueueDepth {
  const waiting = items.filter((item) => !isRunning(item))
  const oldestAt = waiting.reduce<number | null>(
    (oldest, { at }) => (oldest === null ? at : Math.min(oldest, at)),
    null,
  )
  return { name, waiting: waiting.length, running: items.length - waiting.length, oldestAt }
}
