import type { QueueTable } from '../queue.ts'
import { selectSiteIds } from '../queries.ts'
import type { Db } from '../schema.ts'

/** Amount of work of one kind. */
export interface QueueDepth {
  name: (typeof queues)[number]['name']
  waiting: number
  /** Including work waiting to be retried. */
  running: number
  /** When the oldest waiting work was queued, in UTC milliseconds. */
  oldestAt: number | null
}

interface Queue {
  name: string
  table: QueueTable
  /** Column with the time of queueing. */
  queuedAt: string
  /** Column that links to the organization. */
  owner: 'siteId' | 'organizationId' | 'endpointId' | 'botId'
}

const queues = [
  { name: 'syncs', table: 'indexRuns', queuedAt: 'createdAt', owner: 'siteId' },
  { name: 'jobs', table: 'agentJobs', queuedAt: 'updatedAt', owner: 'siteId' },
  { name: 'comparisons', table: 'comparisons', queuedAt: 'queuedAt', owner: 'siteId' },
  { name: 'drift-checks', table: 'driftChecks', queuedAt: 'queuedAt', owner: 'siteId' },
  { name: 'digests', table: 'digests', queuedAt: 'createdAt', owner: 'siteId' },
  { name: 'webhooks', table: 'webhookDeliveries', queuedAt: 'receivedAt', owner: 'organizationId' },
  { name: 'webhook-sends', table: 'webhookSends', queuedAt: 'createdAt', owner: 'endpointId' },
  { name: 'bot-events', table: 'botEvents', queuedAt: 'receivedAt', owner: 'botId' },
] as const satisfies readonly Queue[]

/** @param scope.organizationId Default: all organizations. */
export async function readQueueDepths(db: Db, scope: { now: number; organizationId?: string }): Promise<QueueDepth[]> {
  const depths: QueueDepth[] = []
  for (const queue of queues) depths.push({ name: queue.name, ...(await count(db, queue, scope)) })
  return depths
}

async function count(
  db: Db,
  { table, queuedAt, owner }: Queue,
  { now, organizationId }: { now: number; organizationId?: string },
): Promise<Omit<QueueDepth, 'name'>> {
  let query = db
    .selectFrom(`${table as 'webhookSends'} as work`) // All queues share the columns used below.
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.min(queuedAt as 'createdAt').as('oldestAt'), // Each queue has its own column.
    ])
    .select(({ eb }) =>
      eb.or([eb('isClaimed', '=', true), eb.and([eb('attempt', '>', 0), eb('runAt', '>', now)])]).as('isRunning'),
    )
    .where('runAt', 'is not', null)
    .groupBy('isRunning')
  if (organizationId !== undefined) {
    query = query.where(owner as 'endpointId', 'in', selectOwners(db, owner, organizationId))
  }
  const rows = await query.execute()
  // SQLite has no booleans.
  const running = rows.find(({ isRunning }) => Boolean(isRunning))
  const waiting = rows.find(({ isRunning }) => !isRunning)
  return {
    waiting: Number(waiting?.count ?? 0),
    running: Number(running?.count ?? 0),
    oldestAt: waiting?.oldestAt ?? null,
  }
}

function selectOwners(db: Db, owner: Queue['owner'], organizationId: string) {
  if (owner === 'organizationId') return db.selectFrom('organizations').select('id').where('id', '=', organizationId)
  if (owner === 'endpointId') {
    return db.selectFrom('webhookEndpoints').select('id').where('organizationId', '=', organizationId)
  }
  const sites = selectSiteIds(db, organizationId)
  return owner === 'botId' ? db.selectFrom('bots').select('id').where('siteId', 'in', sites) : sites
}
