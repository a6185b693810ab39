import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import { receivedWebhookOperations } from '../../contract/operations/webhooks.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyPlaces } from '../bodies/body-places.ts'
import { errorStatus } from '../replies/error-status.ts'
import { serveOperations } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createReceivedWebhookHandlers } from './webhooks.ts'

const bodyBytes = 100_000

function setup() {
  const app = new Hono<AppEnv>()
  app.use((c, next) => {
    c.set('clientAddress', '192.0.2.1')
    return next()
  })
  const bodyPlaces = new BodyPlaces(systemClock, { bytesMax: 1.5 * bodyBytes, waitingMax: 0 })
  const deps = { bodyPlaces, clock: systemClock, webhookKey: Buffer.alloc(32) }
  const given = deps as unknown as ServerDeps // What receiving webhooks uses of them.
  serveOperations(app, given, receivedWebhookOperations, createReceivedWebhookHandlers(given))
  app.onError((error, c) => c.body(null, error instanceof AppError ? errorStatus[error.code] : 500))
  const send = (body: BodyInit) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(bodyBytes),
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    }
    return app.request('/webhooks/github/site_1', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  }
  return { send }
}

it('acquires a place for a webhook before its signature is verified, and releases it', async () => {
  const { send } = setup()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()

  const first = send(readable)
  // The second piece is requested once the first has its place.
  await writer.write(new Uint8Array(bodyBytes - 1))
  await writer.ready
  const second = await send(' '.repeat(bodyBytes))
  await writer.write(new Uint8Array(1))
  await writer.close()

  expect(second.status).toBe(503)
  expect((await first).status).toBe(401)
  expect((await send(' '.repeat(bodyBytes))).status).toBe(401)
})
