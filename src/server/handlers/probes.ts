import { writeOutageCounts } from '../../access/limits/consume-limits.ts'
import { isOutage } from '../../access/limits/outage-counts.ts'
import type { probeOperations } from '../../contract/operations/service.ts'
import { type DatabaseFault, describeDatabaseFault, readDatabaseFault } from '../../store/database-error.ts'
import { retryAfterSeconds } from '../replies/error-response.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createProbeHandlers(deps: ServerDeps): Handlers<typeof probeOperations> {
  let reading: Promise<string[]> | null = null

  return {
    checkLiveness: () => ({ status: 'ok' as const }),

    checkReadiness: async ({ c }) => {
      // Concurrent probes share one check: the endpoint needs no key, and checking broken sites takes seconds.
      reading ??= readFaults(deps)
        .catch((error: unknown) => {
          if (isOutage(error)) return [error.message]
          throw error
        })
        .finally(() => {
          reading = null
        })
      const reasons = await reading
      if (reasons.length === 0) return c.json({ status: 'ready' as const, reasons }, 200)
      c.header('Retry-After', String(retryAfterSeconds.starting))
      return c.json({ status: 'not_ready' as const, reasons }, 503)
    },
  }
}

async function readFaults(deps: ServerDeps): Promise<string[]> {
  const { lifecycle, store, sites, writeProbe } = deps
  if (lifecycle.state === 'starting') return ['The server is starting.']
  if (lifecycle.state === 'draining' || lifecycle.state === 'leaving') return ['The server is stopping.']
  const isUp = await store.ping().then(
    () => true,
    () => false,
  )
  if (!isUp) return ['The database is unreachable.']
  if (sites.isWarming) return ['The indexes of the sites are being fetched.']
  const writeFault = (await writeCounts(deps)) ?? (await writeProbe.read())
  if (writeFault !== null) return [describeDatabaseFault(writeFault)]
  return sites.listFaults()
}

/**
 * Writes what this replica allowed during an outage: until then, other replicas would allow the same uses again.
 *
 * @returns The fault that prevents it; null if there is none.
 */
function writeCounts(deps: ServerDeps): Promise<DatabaseFault | null> {
  return writeOutageCounts(deps).then(
    () => null,
    (error: unknown) => readDatabaseFault(error) ?? 'unreachable',
  )
}
