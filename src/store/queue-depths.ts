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
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select('sites.id')
    .where('projects.organizationId', '=', organizationId)
  const runs = await db
    .selectFrom('indexRuns')
    .select(['state', 'createdAt as at'])
    .where('siteId', 'in', sites)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  const jobs = await db
    .selectFrom('agentJobs')
    .select(['leaseUntil', 'updatedAt as at'])
    .where('siteId', 'in', sites)
    .where('status', '=', 'active')
    .execute()
  const deliveries = await db
    .selectFrom('webhookDeliveries')
    .select(['attempt', 'runAt', 'receivedAt as at'])
    .where('organizationId', '=', organizationId)
    .where('state', '=', 'queued')
    .limit(rowsMax)
    .execute()
  const sends = await db
    .selectFrom('webhookSends')
    .innerJoin('webhookEndpoints', 'webhookEndpoints.id', 'webhookSends.endpointId')
    .select(['webhookSends.attempt', 'webhookSends.runAt', 'webhookSends.createdAt as at'])
    .where('webhookEndpoints.organizationId', '=', organizationId)
    .where('webhookSends.state', '=', 'queued')
    .limit(rowsMax)
    .execute()
  // Between two tries a row looks as it does while it is worked on.
  const isTaken = ({ attempt, runAt }: { attempt: number; runAt: number }) => attempt > 0 && runAt > now
  return [
    toDepth('syncs', runs, ({ state }) => state === 'running'),
    toDepth('jobs', jobs, ({ leaseUntil }) => leaseUntil !== null && leaseUntil > now),
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
