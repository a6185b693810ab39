import { afterAll, beforeAll, expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey } from '../store/keys.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { KeyPressure } from './key-pressure.ts'
import { chooseProofBits, isProof } from './proof-of-work.ts'
import { ReaderSessions } from './reader-sessions.ts'

let store: Store
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-sessions-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const noon = Date.UTC(2026, 10, 21, 12)
let lastRandom = 0

function setup(session: ApiKey['session'], signingKey = 'one') {
  const clock = { at: noon, now: () => clock.at }
  const pressure = new KeyPressure(clock)
  const randomBytes = (size: number) => Buffer.alloc(size, (lastRandom += 1))
  const sessions = new ReaderSessions({ store, clock, pressure, randomBytes, signingKey: Buffer.from(signingKey) })
  const key: ApiKey = {
    id: 'key_1',
    kind: 'assistant',
    organizationId: 'default',
    siteId: 'site_1',
    name: 'Public',
    hint: 'abcd',
    scopes: [],
    ipRanges: [],
    origins: [],
    groups: [],
    session,
    normalPerMinute: 10,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: noon,
  }
  const flood = (count: number) => {
    for (let index = 0; index < count; index++) pressure.note(key.id)
  }
  return { clock, pressure, sessions, key, flood }
}

function solve(challenge: string, bits: number): string {
  for (let nonce = 0; ; nonce++) if (isProof(challenge, String(nonce), bits)) return String(nonce)
}

const here = '203.0.113.7'
const required = expect.objectContaining({ code: 'session_required' }) as unknown

function openSession({ sessions, key }: ReturnType<typeof setup>): string {
  const offer = sessions.offer(key, here)
  if (offer.kind !== 'session') throw new Error('A puzzle was not expected.')
  return offer.token
}

it('asks for nothing where the owner asks for nothing, whatever comes', () => {
  const { sessions, key, flood } = setup('off')
  flood(1_000)

  expect(sessions.require(key, here, undefined)).toBeNull()
  expect(sessions.require(key, here, 'nonsense')).toBeNull()
})

it('takes a session from its network, with its key, until its end, and from nowhere else', () => {
  const made = setup('always')
  const { sessions, key, clock } = made
  const token = openSession(made)

  expect(() => sessions.require(key, here, undefined)).toThrow(required)
  expect(sessions.require(key, '203.0.113.250', token)).toMatchObject({ keyId: 'key_1', bits: 0 })
  expect(() => sessions.require(key, '203.0.114.7', token)).toThrow(required)
  expect(() => sessions.require({ ...key, id: 'key_2' }, here, token)).toThrow(required)
  expect(() => setup('always', 'two').sessions.require(key, here, token)).toThrow(required)
  expect(() => sessions.require(key, here, `${token}x`)).toThrow(required)
  clock.at += 600_000
  expect(() => sessions.require(key, here, token)).toThrow(required)
})

it('takes no puzzle for a session', () => {
  const { sessions, key, flood } = setup('always')
  flood(11)
  const offer = sessions.offer(key, here)
  if (offer.kind !== 'puzzle') throw new Error('A session was not expected.')

  expect(() => sessions.require(key, here, offer.challenge)).toThrow(required)
})

it('asks for sessions only under pressure, for proof then, and lets go when it is over', async () => {
  const { sessions, key, flood, clock } = setup('pressure')
  expect(sessions.require(key, here, undefined)).toBeNull()

  flood(10)
  expect(() => sessions.require(key, here, undefined)).toThrow(required)
  const offer = sessions.offer(key, here)
  if (offer.kind !== 'puzzle') throw new Error('A session was not expected.')
  const solution = { challenge: offer.challenge, nonce: solve(offer.challenge, offer.bits) }
  const session = await sessions.redeem(key, here, solution)
  if (session.kind !== 'session') throw new Error('A puzzle was not expected.')

  expect(sessions.require(key, here, session.token)).toMatchObject({ bits: offer.bits })
  clock.at += 120_000
  expect(sessions.require(key, here, undefined)).toBeNull()
})

it('refuses what does not solve the puzzle, is for another network, or was used before', async () => {
  const { sessions, key, flood } = setup('always')
  flood(11)
  const offer = sessions.offer(key, here)
  if (offer.kind !== 'puzzle') throw new Error('A session was not expected.')
  const { challenge, bits } = offer
  const nonce = solve(challenge, bits)
  const refused = { code: 'proof_invalid' }

  await expect(sessions.redeem(key, here, { challenge, nonce: 'none' })).rejects.toMatchObject(refused)
  await expect(sessions.redeem(key, '203.0.114.7', { challenge, nonce })).rejects.toMatchObject(refused)
  // As two processes would: each has its own instance and the same database.
  const all = await Promise.allSettled([
    sessions.redeem(key, here, { challenge, nonce }),
    sessions.redeem(key, here, { challenge, nonce }),
    sessions.redeem(key, here, { challenge, nonce }),
  ])

  expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

it('asks for more work the more there is, and for a session with more proof when it rises far', async () => {
  const made = setup('always')
  const { sessions, key, flood } = made
  const quiet = openSession(made)
  flood(10_000)

  expect(() => sessions.require(key, here, quiet)).toThrow(required)
  expect([10, 11, 20, 40, 80, 1_000_000].map((rate) => chooseProofBits(rate, 10))).toEqual([0, 12, 14, 16, 18, 19])
})

it('counts what other processes let through, and the minute before by the part that is within', () => {
  const { pressure, clock } = setup('pressure')
  pressure.noteCounted('key_1', 40)
  pressure.note('key_1')
  expect(pressure.perMinute('key_1')).toBe(40)

  clock.at += 60_000 + 15_000

  expect(pressure.perMinute('key_1')).toBe(30)
})
