import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identitySecretSchema } from '../../src/contract/admin.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

const asAdmin = { authorization: `Bearer ${adminKey}` }

let docent: Docent
beforeAll(async () => (docent = await startDocent()))
afterAll(() => docent.remove())

const endpoint = () => new URL(`${docent.url}/sites/docs/mcp`)

type Headers = Readonly<Record<string, string>>
/** What the matcher returns is typed as any. */
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown
const modern = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** Without a key. */
function send(body: unknown, headers: Headers = {}) {
  return fetch(endpoint(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function sendModern(method: string, params: Record<string, unknown> = {}, headers: Headers = {}) {
  const name = params['name'] ?? params['uri']
  const sent = {
    'mcp-protocol-version': modern,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  }
  return send({ jsonrpc: '2.0', id: 7, method, params: { _meta: envelope, ...params } }, sent)
}

function sendLegacy(method: string, params: object, headers: Headers = {}) {
  return send({ jsonrpc: '2.0', id: 7, method, params }, headers)
}

describe('what revision 2026-07-28 answers', () => {
  const call = (name: string, args: object = {}) => sendModern('tools/call', { name, arguments: args })
  const withMeta = (meta: object) =>
    send(
      { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: meta } },
      { 'mcp-protocol-version': modern, 'mcp-method': 'tools/list' },
    )

  it.each<[string, () => Promise<Response>, number, object]>([
    ['a body that is not JSON', () => send('{'), 400, { id: null, code: -32700 }],
    ['a header unlike the body', () => sendModern('tools/list', {}, { 'mcp-method': 'ping' }), 400, { code: -32020 }],
    [
      'a call without its name in the header',
      () => sendModern('tools/call', { name: 'search' }, { 'mcp-name': '' }),
      400,
      { code: -32020 },
    ],
    [
      'an unknown revision',
      () => withMeta({ ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
      400,
      {},
    ],
    [
      'no capabilities of the client',
      () => withMeta({ 'io.modelcontextprotocol/protocolVersion': modern }),
      400,
      { code: -32602 },
    ],
    ['an unknown method', () => sendModern('docs/nothing'), 404, { code: -32601 }],
    ['initialize', () => sendModern('initialize'), 404, { code: -32601 }],
    ['ping', () => sendModern('ping'), 404, { code: -32601 }],
    ['resources/subscribe', () => sendModern('resources/subscribe', { uri: 'docs://docs/' }), 404, { code: -32601 }],
    [
      'an unknown resource',
      () => sendModern('resources/read', { uri: 'docs://docs/nothing' }),
      200,
      { code: -32602, data: { uri: 'docs://docs/nothing' } },
    ],
    ['an unknown tool', () => call('delete_page'), 200, { code: -32602 }],
    ['an unknown cursor', () => sendModern('resources/list', { cursor: 'x' }), 200, { code: -32602 }],
  ])('%s is an error of the protocol', async (_, request, status, expected) => {
    const response = await request()
    const { jsonrpc, id, error } = (await response.json()) as { jsonrpc: string; id: unknown; error: object }

    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect({ jsonrpc, id, ...error }).toMatchObject({ jsonrpc: '2.0', id: 7, ...expected })
  })

  it('a tool that fails is a result that the model can act on', async () => {
    for (const [name, args] of [
      ['search', {}],
      ['read_page', { path: '/nothing' }],
      ['submit_feedback', { note: 'Nothing is named.' }],
      ['submit_feedback', { messageId: 'msg_unknown' }],
    ] as const) {
      const response = await call(name, args)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ result: { resultType: 'complete', isError: true } })
    }
  })

  it('a notification is accepted with an empty body, and a body over the bound is refused', async () => {
    const accepted = await send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: envelope, requestId: 1 } },
      { 'mcp-protocol-version': modern, 'mcp-method': 'notifications/cancelled' },
    )
    const tooLarge = await sendModern('tools/call', { name: 'search', arguments: { query: 'x'.repeat(70_000) } })

    expect([accepted.status, await accepted.text()]).toEqual([202, ''])
    expect(tooLarge.status).toBe(413)
  })

  it('lists and pages say how long and for whom they may be kept, and pages of a key with groups are private', async () => {
    const cache = async (response: Promise<Response>) => {
      const { result } = (await (await response).json()) as { result: { ttlMs: number; cacheScope: string } }
      return [result.ttlMs, result.cacheScope]
    }

    expect(await cache(sendModern('server/discover'))).toEqual([3_600_000, 'public'])
    expect(await cache(sendModern('tools/list'))).toEqual([300_000, 'public'])
    expect(await cache(sendModern('prompts/list'))).toEqual([300_000, 'public'])
    expect(await cache(sendModern('resources/list'))).toEqual([60_000, 'public'])
    expect(await cache(sendModern('resources/templates/list'))).toEqual([300_000, 'public'])
    expect(await cache(sendModern('resources/read', { uri: 'docs://docs/guides/printers' }))).toEqual([
      60_000,
      'public',
    ])
    const token = await signIdentity(['partners'])
    const asReader = { authorization: `Bearer ${token}` }
    expect(await cache(sendModern('resources/list', {}, asReader))).toEqual([60_000, 'private'])
  })

  it('names the page of another site in no completion, and completes what begins with the value first', async () => {
    const ref = { type: 'ref/resource', uri: 'docs://docs{+path}' }
    const response = await sendModern('completion/complete', { ref, argument: { name: 'path', value: '/guides/' } })

    expect(await response.json()).toMatchObject({
      result: { completion: { values: ['/guides/install', '/guides/printers'], hasMore: false } },
    })
  })

  it('tells subscribers that the pages have changed after a sync', async () => {
    const response = await sendModern('subscriptions/listen', { notifications: { resourcesListChanged: true } })
    const frames = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const first = await frames.read()

    await docent.post('/admin/v1/sites/docs/sync', {}, asAdmin)
    let text = ''
    while (!text.includes('notifications/resources/list_changed')) text += (await frames.read()).value ?? ''
    await frames.cancel()

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(first.value).toContain('notifications/subscriptions/acknowledged')
  })
})

describe('a batch of revision 2025-03-26', () => {
  it('gets the answer to each message', async () => {
    const message = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    })
    const response = await send([
      message(1, 'search', { query: 'E-42' }),
      message(2, 'submit_feedback', { messageId: 'msg_unknown' }),
    ])
    const [found, wrong] = (await response.json()) as { result?: object }[]

    expect(response.status).toBe(200)
    // That revision has no links to resources.
    expect(JSON.stringify(found)).toContain('/guides/printers')
    expect(JSON.stringify(found)).not.toContain('resource_link')
    expect(wrong?.result).toMatchObject({
      isError: true,
      content: [{ text: matching(/^This site has no answer msg_unknown/) }],
    })
  })
})

async function signIdentity(groups: string[]) {
  const made = await docent.post('/admin/v1/sites/docs/identity-secret', {}, asAdmin)
  const { secret } = identitySecretSchema.parse(await made.json())
  return new SignJWT({ groups })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('u1')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

describe('official clients without a key', () => {
  const work = async (client: Pick<Client, 'listTools' | 'callTool' | 'readResource' | 'close'>) => {
    const { tools } = await client.listTools()
    const found = await client.callTool({ name: 'search', arguments: { query: 'E-42', limit: 1 } })
    const answer = await client.callTool({ name: 'ask', arguments: { question: 'What does E-42 mean?' } })
    const wrong = await client.callTool({ name: 'read_page', arguments: { path: '/guides/prnters' } })
    const page = await client.readResource({ uri: 'docs://docs/guides/printers' })
    await client.close()
    expect(tools).toHaveLength(5)
    expect(found.structuredContent).toMatchObject({ results: [{ path: '/guides/printers' }] })
    expect(answer.structuredContent).toMatchObject({ verdict: 'supported', messageId: matching(/^msg_/) })
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: matching(/nearest pages are:\n(?:.*\n)*- \/guides\/printers: /) }],
    })
    expect(page.contents[0]).toMatchObject({ mimeType: 'text/markdown', text: matching(/paper has run out/) })
  }

  it.each([
    ['by default', undefined, '2025-11-25'],
    ['of the earlier revisions', { mode: 'legacy' }, '2025-11-25'],
    ['that look first', { mode: 'auto' }, modern],
    ['of the newest revision alone', { mode: { pin: modern } }, modern],
  ] as const)('%s search, ask, read and list', async (_, versionNegotiation, revision) => {
    const client = new Client({ name: 'test', version: '1' }, versionNegotiation && { versionNegotiation })
    await client.connect(new StreamableHTTPClientTransport(endpoint()))

    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    await work(client)
  })

  it('of the package before do the same', async () => {
    const client = new ClientOfSdk1({ name: 'test', version: '1' })
    await client.connect(new TransportOfSdk1(endpoint()))

    expect(client.getServerVersion()).toMatchObject({ name: 'docent', title: 'Kiosk' })
    await work(client as unknown as Client) // The methods used are the same.
  })

  it('get a reader’s pages by a signed identity as bearer token', async () => {
    const read = (headers: Headers) =>
      sendLegacy('resources/read', { uri: 'docs://docs/reference/partners' }, headers).then((reply) => reply.text())
    const token = await signIdentity(['partners'])

    expect(await read({})).toContain('Resource not found')
    expect(await read({ authorization: `Bearer ${token}` })).toContain('zeppelin')
  })
})

describe('the skill of a site', () => {
  const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

  it('has the same bytes and digest at its address, in the index, at the root of the origin and over MCP', async () => {
    const text = async (path: string) => (await docent.get(path)).text()
    const { skills: indexed } = JSON.parse(await text('/sites/docs/.well-known/agent-skills/index.json')) as {
      skills: { name: string; url: string; digest: string }[]
    }
    const { result } = (await (await sendModern('skills/list')).json()) as {
      result: { skills: { uri: string; resources: { digest: string }[] }[] }
    }
    const uri = result.skills[0]?.uri ?? ''
    const read = (await (await sendModern('resources/read', { uri })).json()) as {
      result: { contents: { text: string }[] }
    }

    const outlets = await Promise.all([
      text('/sites/docs/skill.md'),
      text('/skill.md'),
      text(`/sites/docs/.well-known/agent-skills/${indexed[0]?.url}`),
      text(`/.well-known/agent-skills/${indexed[0]?.url}`),
    ])

    expect(new Set([...outlets, read.result.contents[0]?.text]).size).toBe(1)
    expect(indexed[0]).toMatchObject({ name: 'docs', type: 'skill-md', digest: sha256(outlets[0] ?? '') })
    expect(result.skills[0]?.resources).toMatchObject([{ digest: sha256(outlets[0] ?? '') }])
    // These words are only on a page for groups.
    expect(outlets[0]).not.toMatch(/zeppelin|partners/i)
  })

  it('is found beside the server by the catalog, whose addresses all answer with their type', async () => {
    const catalog = (await (await docent.get('/.well-known/ai-catalog.json')).json()) as {
      entries: { type: string; url: string; identifier: string }[]
    }
    const card = await docent.get('/sites/docs/mcp/server-card')

    for (const { type, url } of catalog.entries) {
      const response = await fetch(url)
      expect([url, response.status]).toEqual([url, 200])
      expect(response.headers.get('content-type')).toContain(type)
    }
    expect(card.headers.get('access-control-allow-origin')).toBe('*')
    expect(await card.json()).toMatchObject({
      name: 'localhost/docs',
      title: 'Kiosk',
      remotes: [{ type: 'streamable-http', url: `${docent.url}/sites/docs/mcp` }],
    })
    const etag = card.headers.get('etag') ?? ''
    expect((await docent.get('/sites/docs/mcp/server-card', { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('who may call', () => {
  it('a page of another origin may read and is told so, and may not spend answers', async () => {
    const url = endpoint()
    const origin = 'http://localhost:3999'
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'mcp-method, mcp-protocol-version' },
    })
    const found = await sendModern('tools/call', { name: 'search', arguments: { query: 'E-42' } }, { origin })
    const asked = await sendModern('tools/call', { name: 'ask', arguments: { question: 'What is E-42?' } }, { origin })

    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
    expect(found.headers.get('access-control-allow-origin')).toBe(origin)
    expect([found.status, asked.status]).toEqual([200, 403])
  })

  it('on a machine of its own, no page whose name points there', async () => {
    const foreign = await sendModern('tools/list', {}, { origin: 'http://evil.example' })

    expect(foreign.status).toBe(403)
  })

  it('nobody without a key, once the owner has revoked the public one', async () => {
    const { items } = (await (await docent.get('/admin/v1/keys', asAdmin)).json()) as {
      items: { id: string; purpose: string }[]
    }
    for (const { id, purpose } of items) {
      if (purpose === 'pages') await docent.post(`/admin/v1/keys/${id}/revoke`, {}, asAdmin)
    }

    const response = await sendModern('tools/list')

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })
})
