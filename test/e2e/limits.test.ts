import { afterEach, describe, expect, it } from 'vitest'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { noon, noonClock } from '../support/noon.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
afterEach(() => docent.remove())

const message = '/discovery/v2/assistant/docs/message'
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

async function countOutcomes(send: () => Promise<Response>, times: number) {
  const responses = await Promise.all(Array.from({ length: times }, send))
  const outcomes: Record<number, number> = {}
  for (const response of responses) {
    outcomes[response.status] = (outcomes[response.status] ?? 0) + 1
    await response.text()
  }
  return outcomes
}

describe.each([
  ['key', 'DOCENT_LIMIT_KEY_PER_MONTH', 2_592_000],
  ['org', 'DOCENT_LIMIT_ORG_PER_HOUR', 3_600],
  ['ip', 'DOCENT_LIMIT_IP_PER_DAY', 86_400],
] as const)('the limit per %s', (name, variable, windowSeconds) => {
  it('lets through exactly what it says, under concurrency, and says so in its headers', async () => {
    docent = await startDocent({ clock: noonClock, env: { [variable]: '7' } })

    expect(await countOutcomes(() => docent.post(message, question), 20)).toEqual({ 200: 7, 429: 13 })

    const refused = await docent.post(message, question)
    const body = errorBodySchema.parse(await refused.json())
    expect(body.code).toBe('limit_reached')
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`))
    expect(refused.headers.get('ratelimit-policy')).toContain(`"${name}";q=7;w=${windowSeconds}`)
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(31 * 86_400)
  })
})

it('counts no refused request', async () => {
  docent = await startDocent({
    clock: noonClock,
    env: { DOCENT_LIMIT_KEY_PER_MONTH: '2', DOCENT_LIMIT_SEARCH_PER_HOUR: '1' },
  })

  await docent.post(message, { fp: 'anonymous', messages: [] })
  await docent.post(message, '{')
  await docent.post(message, { ...question, threadId: 'unknown', threadKey: 'wrong' })
  await docent.post('/discovery/v1/page/docs', { path: '/no/such/page' })

  expect(await countOutcomes(() => docent.post(message, question), 3)).toEqual({ 200: 2, 429: 1 })
  expect(await countOutcomes(() => docent.post('/discovery/v1/search/docs', { query: 'paper' }), 2)).toEqual({
    200: 1,
    429: 1,
  })
})

it('tells an allowed request where it stands', async () => {
  docent = await startDocent({ clock: noonClock })

  const first = await docent.post(message, question)
  const second = await docent.post(message, question)

  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=9999;t=\d+, "org";r=9999;t=\d+, "ip";r=9999;t=\d+$/)
  expect(second.headers.get('ratelimit')).toMatch(/^"key";r=9998;t=\d+, "org";r=9998;t=\d+, "ip";r=9998;t=\d+$/)
  expect(first.headers.get('ratelimit-policy')).toBe(
    '"key";q=10000;w=2592000, "org";q=10000;w=3600, "ip";q=10000;w=86400',
  )
  await Promise.all([first.text(), second.text()])
})

it('counts the address that a trusted proxy names, and no other', async () => {
  docent = await startDocent({ clock: noonClock, env: { DOCENT_LIMIT_IP_PER_DAY: '1', DOCENT_TRUST_PROXY: '1' } })
  const ask = async (forwarded: string) => {
    const response = await docent.post(message, question, { 'x-forwarded-for': forwarded })
    await response.text()
    return response.status
  }

  expect(await ask('203.0.113.1')).toBe(200)
  expect(await ask('203.0.113.1')).toBe(429)
  expect(await ask('198.51.100.9, 203.0.113.1')).toBe(429)
  expect(await ask('203.0.113.2')).toBe(200)
})

it('holds over a restart', async () => {
  docent = await startDocent({ clock: noonClock, env: { DOCENT_LIMIT_KEY_PER_MONTH: '2' } })
  await (await docent.post(message, question)).text()
  await docent.stop()

  docent = await startDocent({ clock: noonClock, env: { DOCENT_LIMIT_KEY_PER_MONTH: '2' }, folder: docent.folder })

  expect(await countOutcomes(() => docent.post(message, question), 3)).toEqual({ 200: 1, 429: 2 })
})

it('counts all addresses of a network together where the operator says so', async () => {
  // Stands still, so that all of it is one minute.
  const env = { DOCENT_LIMIT_PREFIX_PER_MINUTE: '2', DOCENT_LIMIT_PREFIX_PER_DAY: '3', DOCENT_TRUST_PROXY: '1' }
  const clock = { at: noon, now: () => clock.at }
  docent = await startDocent({ env, clock })
  const ask = async (address: string) => {
    const response = await docent.post(message, question, { 'x-forwarded-for': address })
    await response.text()
    return { status: response.status, limit: response.headers.get('ratelimit')?.match(/"net[^;]*";r=\d+/g) }
  }

  expect(await ask('203.0.113.1')).toEqual({ status: 200, limit: ['"net-minute";r=1', '"net";r=2'] })
  expect((await ask('203.0.113.2')).status).toBe(200)
  expect(await ask('203.0.113.3')).toEqual({ status: 429, limit: ['"net-minute";r=0'] })
  expect((await ask('203.0.114.1')).status).toBe(200)
  clock.at += 60_000
  expect((await ask('203.0.113.4')).status).toBe(200)
  expect(await ask('203.0.113.5')).toEqual({ status: 429, limit: ['"net";r=0'] })
})
