import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey } from '../../store/accounts/keys.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { addCounts } from '../../store/counts/counters.ts'
import { chooseProofBits, isProof, countProvenRequests } from './proof-of-work.ts'
import { networkMinute, networkOfKey, ReaderSessions } from './reader-sessions.ts'

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

const here = '203.0.113.7'
const noon = Date.UTC(2026, 10, 21, 12)
let lastRandom = 0
let lastKey = 0

function setup(session: ApiKey['session'], signingKey = 'one') {
  const clock = { at: noon, now: () => clock.at }
  const randomBytes = (size: number) => Buffer.alloc(size, (lastRandom += 1))
  const sessions = new ReaderSessions({ store, clock, randomBytes, signingKey: Buffer.from(signingKey) })
  const key: ApiKey = {
    id: `key_${(lastKey += 1)}`,
    kind: 'assistant',
    organizationId: 'default',
    siteId: 'site_1',
    name: 'Public',
    hint: 'abcd',
    scopes: [],
    ipRanges: [],
    origins: [],
    groups: [],
    answerOptions: [],
    purpose: 'website',
    session,
    normalPerMinute: 10,
    networkPerMinute: 0,
    networkPerDay: 0,
    networkSharePercent: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: noon,
  }
  /** Requests of a network that were allowed in this minute, over all processes. */
  const flood = (count: number, address = here) => {
    const windowStart = Math.floor(clock.at / 60_000) * 60_000
    return addCounts(store.relaxed, [{ name: networkMinute, subject: networkOfKey(key, address), windowStart, count }])
  }
  return { clock, sessions, key, flood }
}

function solve(challenge: string, bits: number): string {
  for (let nonce = 0; ; nonce++) if (isProof(challenge, String(nonce), bits)) return String(nonce)
}

const required = expect.objectContaining({ code: 'session_required' }) as unknown

async function openSession({ sessions, key }: ReturnType<typeof setup>): Promise<string> {
  const offer = await sessions.offer(key, here)
  if (offer.kind !== 'session') throw new Error('A puzzle was not expected.')
  return offer.token
}

async function openPuzzle({ sessions, key }: ReturnType<typeof setup>) {
  const offer = await sessions.offer(key, here)
  if (offer.kind !== 'puzzle') throw new Error('A session was not expected.')
  return offer
}

it('never requires a session if the owner requires none', async () => {
  const made = setup('off')
  await made.flood(1_000)

  expect(made.sessions.require(made.key, here, undefined)).toBeNull()
  expect(made.sessions.require(made.key, here, 'nonsense')).toBeNull()
  expect(await openSession(made)).toEqual(expect.any(String))
})

it('accepts a session only from its network, with its key, until it expires', async () => {
  const made = setup('always')
  const { sessions, key, clock } = made
  const token = await openSession(made)

  expect(() => sessions.require(key, here, undefined)).toThrow(required)
  expect(sessions.require(key, `::ffff:${here}`, token)).toMatchObject({ keyId: key.id, bits: 0 })
  expect(() => sessions.require(key, '203.0.113.8', token)).toThrow(required)
  expect(() => sessions.require({ ...key, id: 'key_other' }, here, token)).toThrow(required)
  expect(() => setup('always', 'two').sessions.require(key, here, token)).toThrow(required)
  expect(() => sessions.require(key, here, `${token}x`)).toThrow(required)
  clock.at += 600_000
  expect(() => sessions.require(key, here, token)).toThrow(required)
})

it('accepts no session that was made while the clock ran ahead', async () => {
  const made = setup('always')
  made.clock.at += 86_400_000
  const token = await openSession(made)

  made.clock.at -= 86_400_000

  expect(() => made.sessions.require(made.key, here, token)).toThrow(required)
})

it('accepts a new session by a clock that is a little behind', async () => {
  const made = setup('always')
  const token = await openSession(made)

  made.clock.at -= 2_000

  expect(made.sessions.require(made.key, here, token)).not.toBeNull()
})

it('accepts a session from the whole /64 of an IPv6 client', async () => {
  const { sessions, key } = setup('always')
  const offer = await sessions.offer(key, '2001:db8:1:2::1')
  const token = offer.kind === 'session' ? offer.token : ''

  expect(sessions.require(key, '2001:db8:1:2:ffff::9', token)).not.toBeNull()
  expect(() => sessions.require(key, '2001:db8:1:3::1', token)).toThrow(required)
})

it('does not accept a puzzle as a session', async () => {
  const made = setup('always')
  await made.flood(11)
  const { challenge } = await openPuzzle(made)

  expect(() => made.sessions.require(made.key, here, challenge)).toThrow(required)
})

it('requires proof only of a network above its normal rate, and only while it stays above', async () => {
  const made = setup('pressure')
  const { sessions, key, flood, clock } = made
  await flood(9)
  expect(await sessions.offer(key, here)).toMatchObject({ kind: 'session' })

  await flood(1)
  const { challenge, bits } = await openPuzzle(made)
  const session = await sessions.redeem(key, here, { challenge, nonce: solve(challenge, bits) })
  if (session.kind !== 'session') throw new Error('A puzzle was not expected.')

  expect(sessions.require(key, here, session.token)).toMatchObject({ bits })
  expect(await sessions.offer(key, '203.0.113.8')).toMatchObject({ kind: 'session' })
  clock.at += 120_000
  expect(await sessions.offer(key, here)).toMatchObject({ kind: 'session' })
})

it('rejects wrong solutions, those of another network, and those used before', async () => {
  const made = setup('always')
  const { sessions, key, flood } = made
  await flood(11)
  const { challenge, bits } = await openPuzzle(made)
  const nonce = solve(challenge, bits)
  const refused = { code: 'proof_invalid' }

  await expect(sessions.redeem(key, here, { challenge, nonce: 'none' })).rejects.toMatchObject(refused)
  await expect(sessions.redeem(key, '203.0.113.8', { challenge, nonce })).rejects.toMatchObject(refused)
  // As in two processes: each has its own instance and the same database.
  const all = await Promise.allSettled([
    sessions.redeem(key, here, { challenge, nonce }),
    sessions.redeem(key, here, { challenge, nonce }),
    sessions.redeem(key, here, { challenge, nonce }),
  ])

  expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

it('requires more work at higher rates', () => {
  expect([10, 11, 20, 40, 80, 1_000_000].map((rate) => chooseProofBits(rate, 10))).toEqual([0, 12, 14, 16, 18, 19])
})

it('accepts a session up to two bits above its proof', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(0, 12, 13, 14, 15, 16), (normal, bits) => {
      const most = countProvenRequests(bits, normal)

      expect(chooseProofBits(most, normal)).toBeLessThanOrEqual(bits + 2)
      expect(chooseProofBits(most + 1, normal)).toBeGreaterThan(bits + 2)
    }),
  )
  expect([17, 18, 19].map((bits) => countProvenRequests(bits, 30))).toEqual([Infinity, Infinity, Infinity])
})
