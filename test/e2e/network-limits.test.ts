import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dayMs } from '../../src/base/durations.ts'
import { type KeyCreate, keyCreatedSchema } from '../../src/contract/admin.ts'
import { keyDefaults } from '../../src/contract/key-defaults.ts'
import { readerSessionSchema } from '../../src/contract/reader-session.ts'
import { isProof } from '../../src/access/readers/proof-of-work.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { noon } from '../support/noon.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

/** Stands still unless it is moved, so that what belongs to one minute is in one. */
const clock = { at: noon, now: () => clock.at }
const behindProxy = { DOCENT_TRUST_PROXY: '1' }

let usual: Docent
let docent: Docent
beforeAll(async () => (usual = await startDocent({ clock, env: behindProxy })))
afterAll(() => usual.remove())

/** Every use of a key, as a path and a body that is answered. */
const uses = {
  answer: [
    '/discovery/v2/assistant/docs/message',
    { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }] },
  ],
  v1: [
    '/discovery/v1/assistant/docs/message',
    { fp: 'anonymous', messages: [{ role: 'user', content: 'What does E-42 mean?' }] },
  ],
  search: ['/discovery/v1/search/docs', { query: 'paper' }],
  page: ['/discovery/v1/page/docs', { path: '/guides/printers' }],
  tool: [
    '/sites/docs/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'paper' } } },
  ],
} as const
type Use = keyof typeof uses

let days = 0

/** Uses the usual server on a day on which nothing has been counted yet, or starts another one for an environment. */
async function start(env?: Record<string, string>) {
  clock.at = env === undefined ? noon + days++ * dayMs : noon
  docent = env === undefined ? usual : await startDocent({ clock, env: { ...behindProxy, ...env } })
  if (env !== undefined) onTestFinished(() => docent.remove())
}

async function createKey(options: Partial<KeyCreate> = {}): Promise<string> {
  const body = { kind: 'assistant', name: 'Website', siteId: 'docs', purpose: 'website', ...options }
  return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', body)).body).secret
}

interface Sent {
  status: number
  code: unknown
  retryAfter: string | null
  limit: string | undefined
}

/** Asks as a client of an address. */
function client(secret: string, address: string, session?: string) {
  return async (use: Use): Promise<Sent> => {
    const [path, body] = uses[use]
    const response = await docent.post(path, body, {
      authorization: `Bearer ${secret}`,
      'x-forwarded-for': address,
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'x-docent-session': session }),
    })
    const text = await response.text()
    const code = response.ok ? null : (JSON.parse(text) as { code: unknown }).code
    const limit = response.ok ? undefined : response.headers.get('ratelimit')?.match(/^"([^"]*)"/)?.[1]
    return { status: response.status, code, retryAfter: response.headers.get('retry-after'), limit }
  }
}

async function countStatuses(requests: readonly Promise<Sent>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = (count: number, send: (index: number) => Promise<Sent>) =>
  Array.from({ length: count }, (_, i) => send(i))

async function getSession(secret: string, address: string): Promise<{ token: string; bits: number }> {
  const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': address }
  const send = async (body: object) =>
    readerSessionSchema.parse(await (await docent.post('/discovery/v2/session/docs', body, headers)).json())
  const { session, puzzle } = await send({})
  if (puzzle === null) return { token: session ?? '', bits: 0 }
  const { challenge, bits } = puzzle
  let nonce = 0
  while (!isProof(challenge, String(nonce), bits)) nonce += 1
  return { token: (await send({ challenge, nonce: String(nonce) })).session ?? '', bits }
}

describe('a key for a website', () => {
  it.each(['answer', 'v1', 'search', 'page'] as const)(
    'answers %s of an unmodified client until its network has made 30 requests in the minute, and asks for a session then',
    async (use) => {
      await start()
      const secret = await createKey()
      clock.at += 12_300
      const reader = client(secret, '203.0.113.7')

      expect(await countStatuses(times(60, () => reader(use)))).toEqual({ 200: 30, 403: 30 })

      const refused = { status: 403, code: 'session_required', retryAfter: '48', limit: 'network-minute' }
      expect(await reader(use)).toEqual(refused)
      expect((await client(secret, '203.0.113.8')(use)).status).toBe(200)
      clock.at += 48_000
      expect((await reader(use)).status).toBe(200)
    },
  )

  it('counts answers, searches, pages and tools of a network together', async () => {
    await start()
    const reader = client(await createKey({ normalPerMinute: 5 }), '203.0.113.7')

    const statuses: number[] = []
    for (const use of ['answer', 'v1', 'search', 'page', 'tool', 'search'] as const)
      statuses.push((await reader(use)).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 403])
  })

  it('goes on with a session, further the more was proven for it, and not beyond the limit of the network', async () => {
    await start()
    const secret = await createKey({ normalPerMinute: 10, networkPerMinute: 25 })
    const address = '203.0.113.7'
    const quiet = await getSession(secret, address)
    await Promise.all(times(10, () => client(secret, address, quiet.token)('search')))
    const refused = await client(secret, address, quiet.token)('search')

    const proven = await getSession(secret, address)
    const statuses = await countStatuses(times(40, () => client(secret, address, proven.token)('search')))
    const over = await client(secret, address, proven.token)('search')

    expect([quiet.bits, proven.bits]).toEqual([0, 12])
    expect(refused).toMatchObject({ status: 403, code: 'session_required', retryAfter: '60' })
    expect(statuses).toEqual({ 200: 15, 429: 25 })
    const full = { status: 429, code: 'limit_reached', retryAfter: '60', limit: 'network-minute' }
    expect(over).toEqual(full)
    // A session would not help either.
    expect(await client(secret, address)('search')).toEqual(full)
  })

  it('takes no session of another network', async () => {
    await start()
    const secret = await createKey({ session: 'always' })
    const { token } = await getSession(secret, '203.0.113.7')
    const ofIpv6 = (await getSession(secret, '2001:db8:1:2::1')).token

    expect((await client(secret, '203.0.113.7', token)('search')).status).toBe(200)
    expect((await client(secret, '::ffff:203.0.113.7', token)('search')).status).toBe(200)
    expect((await client(secret, '203.0.113.8', token)('search')).status).toBe(403)
    expect((await client(secret, '2001:db8:1:2:ffff::9', ofIpv6)('search')).status).toBe(200)
    expect((await client(secret, '2001:db8:1:3::1', ofIpv6)('search')).status).toBe(403)
  })

  it.each(['search', 'page', 'tool'] as const)(
    'lets a network have its %ss of a minute and not one more',
    async (use) => {
      await start()
      // Under pressure, because tools need no session then either.
      const secret = await createKey(use === 'tool' ? {} : { session: 'off' })
      const { networkPerMinute } = keyDefaults.website

      const statuses = await countStatuses(times(networkPerMinute + 40, () => client(secret, '203.0.113.7')(use)))

      expect(statuses).toEqual({ 200: networkPerMinute, 429: 40 })
      expect((await client(secret, '203.0.113.8')(use)).status).toBe(200)
    },
  )

  it('lets 1,000 addresses of one /64 have what one network has', async () => {
    await start()
    const secret = await createKey({ session: 'off' })
    const addressOf = (index: number) => `2001:db8:1:2:${index.toString(16)}::${(index * 7).toString(16)}`

    const statuses = await countStatuses(times(1_000, (index) => client(secret, addressOf(index))('search')))

    expect(statuses).toEqual({ 200: 120, 429: 880 })
  })

  it('counts an IPv4 address once, however it is written as IPv6', async () => {
    await start()
    const secret = await createKey({ session: 'off', networkPerMinute: 4 })
    const written = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::ffff:cb00:7107',
      '2002:cb00:7107::1',
      '64:ff9b::203.0.113.7',
    ]

    const statuses: number[] = []
    for (const address of written) statuses.push((await client(secret, address)('search')).status)

    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })

  it('lets one network have 5 % of the month in a day, whatever it does', async () => {
    await start({ DOCENT_LIMIT_KEY_PER_MONTH: '200' })
    const secret = await createKey({ session: 'off' })
    const flood = client(secret, '203.0.113.7')

    const statuses = await countStatuses(times(60, () => flood('answer')))
    const refused = await flood('answer')
    const statusesOfOthers = await countStatuses(times(5, (index) => client(secret, `198.51.100.${index}`)('answer')))
    clock.at += dayMs
    const nextDay = await countStatuses(times(20, () => flood('answer')))

    expect(statuses).toEqual({ 200: 10, 429: 50 })
    expect(refused).toMatchObject({ status: 429, limit: 'network-share', retryAfter: String(dayMs / 2_000) })
    expect(statusesOfOthers).toEqual({ 200: 5 })
    expect(nextDay).toEqual({ 200: 10, 429: 10 })
  })

  it('lets all networks of one /48 together have 20 % of the month in a day, and half of the searches of an hour', async () => {
    await start({ DOCENT_LIMIT_KEY_PER_MONTH: '200', DOCENT_LIMIT_SEARCH_PER_HOUR: '60' })
    const secret = await createKey()
    const flood = (use: Use) => (index: number) => client(secret, `2001:db8:7:${index.toString(16)}::1`)(use)

    const answers = await countStatuses(times(60, flood('answer')))
    const searches = await countStatuses(times(50, flood('search')))
    const refused = [await flood('answer')(1_000), await flood('search')(1_000)]
    const others = client(secret, '2001:db8:8::1')

    expect(answers).toEqual({ 200: 40, 429: 20 })
    expect(searches).toEqual({ 200: 30, 429: 20 })
    expect(refused.map(({ limit }) => limit)).toEqual(['block-share', 'block-search'])
    expect([(await others('answer')).status, (await others('search')).status]).toEqual([200, 200])
  })

  it('leaves half of the answers of an hour to others than one /48', async () => {
    await start({ DOCENT_LIMIT_ORG_PER_HOUR: '20' })
    const secret = await createKey()

    const answers = await countStatuses(times(15, (index) => client(secret, `2001:db8:7:${index}::1`)('answer')))

    expect(answers).toEqual({ 200: 10, 429: 5 })
    expect((await client(secret, '203.0.113.7')('answer')).status).toBe(200)
  })

  it('counts a network for each key by itself', async () => {
    await start()
    const [one, other] = [await createKey({ networkPerMinute: 1 }), await createKey({ networkPerMinute: 1 })]

    expect((await client(one, '203.0.113.7')('search')).status).toBe(200)
    expect((await client(one, '203.0.113.7')('search')).status).toBe(429)
    expect((await client(other, '203.0.113.7')('search')).status).toBe(200)
  })

  it('tells of the limit that lasts longest when several are used up', async () => {
    await start()
    const secret = await createKey({ session: 'off', networkPerMinute: 2, networkPerDay: 2 })
    const reader = client(secret, '203.0.113.7')
    await reader('search')
    await reader('search')

    const refused = await reader('search')

    expect(refused).toMatchObject({ limit: 'network-day', retryAfter: String(dayMs / 2_000) })
  })

  it('counts nothing for what it refuses', async () => {
    await start()
    const secret = await createKey({ networkPerMinute: 2, networkPerDay: 3 })
    const reader = client(secret, '203.0.113.7')
    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' }
    for (let index = 0; index < 40; index++) {
      await (await docent.post('/discovery/v1/search/docs', { query: 7 }, headers)).text()
      await (await docent.post('/discovery/v1/page/docs', { path: '/none' }, headers)).text()
    }

    const first = await countStatuses(times(40, () => reader('search')))
    clock.at += 60_000
    const second = await countStatuses(times(40, () => reader('search')))

    // Of the day, one was left after the first minute, however many were refused in it.
    expect([first, second]).toEqual([
      { 200: 2, 429: 38 },
      { 200: 1, 429: 39 },
    ])
  })

  it.each([
    ['too deep', '['.repeat(70_000)],
    ['too large', `"${'x'.repeat(5 * 1024 * 1024)}"`],
    ['not JSON', `{${' '.repeat(70_000)}`],
    ['not valid', JSON.stringify({ messages: 'x'.repeat(70_000) })],
  ])('counts a large body that is refused against its network: %s', async (_, body) => {
    await start()
    const secret = await createKey({ networkPerMinute: 2 })
    const reader = client(secret, '203.0.113.7')
    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' }

    await (await docent.post(uses.answer[0], body, headers)).text()
    await (await docent.post(uses.answer[0], body, headers)).text()

    expect(await reader('search')).toMatchObject({ status: 429, limit: 'network-minute' })
    expect((await client(secret, '203.0.113.8')('search')).status).toBe(200)
  })

  it('refuses a network that is over its limit before it reads what is sent', async () => {
    await start()
    const secret = await createKey({ networkPerMinute: 1, session: 'off' })
    await client(secret, '203.0.113.7')('search')

    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' }
    const refused = await docent.post('/discovery/v1/search/docs', '{ this is no JSON', headers)

    expect(refused.status).toBe(429)
    await refused.text()
  })
})

it('a key with sessions always asks for one on answers, searches, pages and feedback', async () => {
  await start()
  const secret = await createKey({ session: 'always' })
  const reader = client(secret, '203.0.113.7')
  const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' }
  const feedback = { messageId: 'none', helpful: true }
  const give = (more: Record<string, string>) =>
    docent.post('/discovery/v2/assistant/docs/feedback', feedback, { ...headers, ...more })

  for (const use of ['answer', 'v1', 'search', 'page'] as const) {
    expect(await reader(use)).toMatchObject({ status: 403, code: 'session_required', retryAfter: null })
  }
  expect(await (await give({})).json()).toMatchObject({ code: 'session_required' })

  const { token } = await getSession(secret, '203.0.113.7')
  for (const use of ['answer', 'v1', 'search', 'page'] as const) {
    expect((await client(secret, '203.0.113.7', token)(use)).status).toBe(200)
  }
  expect(await (await give({ 'x-docent-session': token })).json()).toMatchObject({ code: 'message_not_found' })
  // Its clients solve no puzzles.
  expect((await reader('tool')).status).toBe(200)
})

it('feedback counts for its network', async () => {
  await start()
  const secret = await createKey({ session: 'off', networkPerMinute: 3 })
  const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' }
  const [path, question] = uses.answer
  const answer = await (await docent.post(path, question, headers)).text()
  const messageId = /"messageId":"([^"]+)"/.exec(answer)?.[1]
  const give = async (helpful: boolean) => {
    const response = await docent.post('/discovery/v2/assistant/docs/feedback', { messageId, helpful }, headers)
    await response.text()
    return response.status
  }

  expect([await give(true), await give(false), await give(true)]).toEqual([200, 200, 429])
})

describe('a key for a server', () => {
  it('lets one address do what the published limits allow', async () => {
    await start({ DOCENT_LIMIT_IP_PER_DAY: '150', DOCENT_LIMIT_SEARCH_PER_HOUR: '160' })
    const secret = await createKey({ purpose: null })
    const server = client(secret, '203.0.113.7')

    expect(await countStatuses(times(200, () => server('search')))).toEqual({ 200: 160, 429: 40 })
    expect(await countStatuses(times(170, () => server('answer')))).toEqual({ 200: 150, 429: 20 })
  })

  it('counts an IPv6 client by its /64', async () => {
    await start({ DOCENT_LIMIT_IP_PER_DAY: '2' })
    const secret = await createKey({ purpose: 'server' })

    const statuses: number[] = []
    for (const host of ['1', '2', 'ffff:1:2:3'])
      statuses.push((await client(secret, `2001:db8:1:2::${host}`)('answer')).status)
    statuses.push((await client(secret, '2001:db8:1:3::1')('answer')).status)

    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('takes limits per network where it is given some', async () => {
    await start()
    const server = client(await createKey({ purpose: 'server', networkPerMinute: 2 }), '203.0.113.7')

    expect(await countStatuses(times(5, () => server('search')))).toEqual({ 200: 2, 429: 3 })
  })
})

it('believes no header about the client where no proxy is trusted', async () => {
  await start({ DOCENT_TRUST_PROXY: '0' })
  const secret = await createKey({ session: 'off', networkPerMinute: 5 })

  const statuses = await countStatuses(times(20, (index) => client(secret, `198.51.100.${index}`)('search')))

  expect(statuses).toEqual({ 200: 5, 429: 15 })
})

it('counts searches on the pages of a site by the /64 of an IPv6 client', async () => {
  await start()
  const search = async (address: string) => {
    const response = await docent.get('/sites/docs/search?q=paper', { 'x-forwarded-for': address })
    await response.text()
    return response.status
  }

  const ofNetwork = await Promise.all(Array.from({ length: 130 }, (_, index) => search(`2001:db8::${index + 1}`)))

  expect(ofNetwork.filter((status) => status === 200)).toHaveLength(120)
  expect(ofNetwork.filter((status) => status === 429)).toHaveLength(10)
  expect(await search('2001:db8:0:1::1')).toBe(200)
})
