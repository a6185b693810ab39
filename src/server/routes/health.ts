import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import type { DocentServer } from '../create-server.ts'
import { describeDatabaseFault } from '../../store/database-error.ts'
import type { ServerParts } from '../server-parts.ts'

const aliveSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' })
const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    reasons: z.array(z.string()).meta({ description: 'Sentences; empty when ready.' }),
  })
  .meta({ id: 'Readiness' })

const healthRoute = createRoute({
  method: 'get',
  path: '/healthz',
  tags: ['Operations'],
  summary: 'Whether the process lives',
  responses: { 200: { description: 'It does.', content: { 'application/json': { schema: aliveSchema } } } },
})

const readinessRoute = createRoute({
  method: 'get',
  path: '/readyz',
  tags: ['Operations'],
  summary: 'Whether questions can be answered',
  responses: {
    200: { description: 'They can.', content: { 'application/json': { schema: readinessSchema } } },
    503: {
      description: 'They cannot, for the reasons given.',
      content: { 'application/json': { schema: readinessSchema } },
    },
  },
})

export function addHealth(app: DocentServer, parts: ServerParts): void {
  app.openapi(healthRoute, (c) => c.json({ status: 'ok' as const }, 200))
  let reading: Promise<string[]> | null = null
  app.openapi(readinessRoute, async (c) => {
    // Concurrent probes share one check: the endpoint needs no key, and checking broken sites takes seconds.
    reading ??= readFaults(parts).finally(() => {
      reading = null
    })
    const reasons = await reading
    if (reasons.length === 0) return c.json({ status: 'ready' as const, reasons }, 200)
    c.header('Retry-After', '2')
    return c.json({ status: 'not_ready' as const, reasons }, 503)
  })
}

async function readFaults({ lifecycle, store, sites, writeProbe }: ServerParts): Promise<string[]> {
  if (lifecycle.state === 'starting') return ['The server is starting.']
  if (lifecycle.state === 'draining' || lifecycle.state === 'leaving') return ['The server is stopping.']
  const isUp = await store.ping().then(
    () => true,
    () => false,
  )
  if (!isUp) return ['The database does not answer.']
  if (sites.isWarming) return ['The indexes of the sites are being fetched.']
  const writeFault = await writeProbe.read()
  if (writeFault !== null) return [describeDatabaseFault(writeFault)]
  return sites.listFaults()
}
