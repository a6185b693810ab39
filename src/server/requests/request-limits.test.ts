import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutageCounts } from '../../access/limits/outage-counts.ts'
import { ReaderSessions } from '../../access/readers/reader-sessions.ts'
import { AppError } from '../../contract/app-error.ts'
import { keyDefaults, type KeyPurpose } from '../../contract/key-defaults.ts'
import type { ReaderUse } from '../../contract/operations/operation.ts'
import { openStore } from '../../store/open-store.ts'
import { sampleKey } from '../../../test/store/store-samples.ts'
import type { Store } from '../../store/store.ts'
import type { AppEnv } from '../app-env.ts'
import { admitReader, chargeRefusedBody } from './request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'

let store: Store
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-limits-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const published: ServerDeps['limits'] = {
  keyPerMonth: 10_000,
  organizationPerHour: 10_000,
  addressPerDay: 10_000,
  prefixPerMinute: 0,
  prefixPerDay: 0,
  searchPerHour: 10_000,
  jobsPerHour: 100,
}

/** Sends bodies from one network that are refused after they were read. @returns The status of each reply. */
function setup(purpose: KeyPurpose, limits: Partial<ServerDeps['limits']> = {}) {
  const clock = { now: () => Date.UTC(2026, 10, 21, 12) }
  const readerSessions = new ReaderSessions({ store, clock, randomBytes: Buffer.alloc, signingKey: Buffer.from('x') })
  const outageCounts = new OutageCounts()
  const deps = {
    store,
    clock,
    outageCounts,
    readerSessions,
    limits: { ...published, ...limits },
  }
  const key = sampleKey('default', {
    kind: 'assistant',
    siteId: 's',
    purpose,
    ...keyDefaults[purpose],
    ...(purpose === 'website' && { networkPerMinute: 3 }),
  })
  const app = new Hono<AppEnv>()
  // The parts of a server that limits need.
  const server = deps as unknown as ServerDeps
  app.post(
    '/:use',
    (c, next) => {
      c.set('clientAddress', c.req.header('x-from') ?? '')
      c.set('readerRequest', { key } as unknown as AppEnv['Variables']['readerRequest'])
      return next()
    },
    (c, next) => admitReader(server, c.req.param('use') as ReaderUse)(c, next),
    async (c) => {
      await chargeRefusedBody(c, server)
      throw new AppError('body_too_large', 'Send less.')
    },
  )
  app.onError((error, c) => c.text(error instanceof AppError ? error.code : String(error)))
  return async (from: string, use: ReaderUse = 'answer') =>
    (await app.request(`/${use}`, { method: 'POST', headers: { 'x-from': from } })).text()
}

it('charges a refused body to its network, until its limit per minute is exhausted', async () => {
  const send = setup('website')

  const codes: string[] = []
  for (let index = 0; index < 4; index++) codes.push(await send(`2001:db8:1:2::${index}`))

  expect(codes).toEqual(['body_too_large', 'body_too_large', 'body_too_large', 'limit_reached'])
  expect(await send('2001:db8:1:3::1')).toBe('body_too_large')
})

it('charges it to the address if the key has no limits of its own', async () => {
  const send = setup('server', { addressPerDay: 2 })

  const codes = [await send('203.0.113.7'), await send('203.0.113.7'), await send('203.0.113.7')]

  expect(codes).toEqual(['body_too_large', 'body_too_large', 'limit_reached'])
})

it('still charges the network of the key when its address has used up its day', async () => {
  const send = setup('website', { addressPerDay: 1 })

  const codes: string[] = []
  for (let index = 0; index < 4; index++) codes.push(await send(`2001:db8:7:7::${index}`, 'search'))

  expect(codes).toEqual(['body_too_large', 'body_too_large', 'body_too_large', 'limit_reached'])
})

it('never fails a request because of the charge, even for many concurrent requests', async () => {
  const send = setup('website')

  const codes = await Promise.all(Array.from({ length: 10 }, () => send('203.0.113.9')))

  expect(codes).toContain('body_too_large')
  expect(codes.every((code) => code === 'body_too_large' || code === 'limit_reached')).toBe(true)
})
