import { expect, it } from 'vitest'
import { createIdSource } from '../base/ids.ts'
import { systemClock } from '../base/clock.ts'
import { errorBodySchema } from '../contract/error-body.ts'
import { silentLog } from '../telemetry/log.ts'
import { createStartingServer } from './starting-server.ts'

const app = createStartingServer({
  clock: systemClock,
  ids: createIdSource(systemClock),
  log: silentLog,
  trustedProxies: { kind: 'count', count: 0 },
})

it('is alive but not ready', async () => {
  expect((await app.request('/healthz')).status).toBe(200)
  const ready = await app.request('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not_ready', reasons: ['The server is starting.'] },
  ])
})

it.each(['/discovery/v2/assistant/docs/message', '/admin/v1/keys', '/nothing'])(
  'asks to try %s again',
  async (path) => {
    const response = await app.request(path, { method: 'POST', headers: { origin: 'https://docs.example.com' } })

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(response.headers.get('access-control-allow-origin')).toBe(
      path.startsWith('/discovery/') ? 'https://docs.example.com' : null,
    )
    expect(errorBodySchema.parse(await response.json()).code).toBe('starting')
  },
)
