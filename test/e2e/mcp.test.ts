import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hourMs } from '../../src/base/durations.ts'
import { identitySecretSchema, keyCreatedSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { noonClock } from '../support/noon.ts'
import { adminKey, assistantKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

const searchPerHour = 60
const longText = Array.from({ length: 4_000 }, (_, index) => `Line ${index} of the ledger 🚋.`).join('\n\n')

let docent: Docent
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
  await cp(sampleSite, folder, { recursive: true })
  const config = {
    name: 'Kiosk',
    navigation: {
      pages: ['index', 'guides/install', 'guides/printers', 'ledger', 'reference/limits', 'reference/partners'],
    },
  }
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config))
  await writeFile(
    join(folder, 'ledger.mdx'),
    `---\ntitle: Ledger\n---\nThe quoll reads [Limits](/reference/limits).\n\n${longText}\n`,
  )
  docent = await startDocent({
    demoFolder: folder,
    clock: noonClock,
    env: { DOCENT_LIMIT_SEARCH_PER_HOUR: String(searchPerHour) },
  })
})
afterAll(async () => {
  await docent.remove()
  await rm(folder, { recursive: true })
})

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const asAdmin = bearer(adminKey)

async function connect(headers: Record<string, string> = bearer(assistantKey), site = 'docs') {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${docent.url}/sites/${site}/mcp`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  await client.listTools()
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult, // Not one of the protocol's long-running tasks.
  }
}

const textOf = ({ content }: CallToolResult) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

/** A request as clients of the protocol send it, where the client would hide what comes back. */
function send(body: unknown, headers: Record<string, string> = {}) {
  return docent.post('/sites/docs/mcp', body, { accept: 'application/json, text/event-stream', ...headers })
}

const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('the official client', () => {
  it('learns what the server is and what its five tools do, all but one reading only', async () => {
    const { client } = await connect()

    const { tools } = await client.listTools()

    expect(client.getServerVersion()).toMatchObject({ name: 'docent', title: 'Kiosk' })
    expect(client.getInstructions()).toContain('Kiosk')
    expect(tools.map(({ name }) => name)).toEqual(['search', 'ask', 'read_page', 'list_pages', 'submit_feedback'])
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'submit_feedback',
    ])
    expect(tools.map(({ inputSchema }) => inputSchema.required ?? [])).toEqual([
      ['query'],
      ['question'],
      ['path'],
      [],
      [],
    ])
  })

  it('searches, and gets a text block, a link and a structured result for each passage', async () => {
    const { call } = await connect()

    const result = await call('search', { query: 'what does E-42 mean', limit: 2 })

    const { results } = result.structuredContent as { results: { path: string; href: string; content: string }[] }
    const kinds = result.content.map(({ type }) => type)
    expect(kinds).toEqual([...results.map(() => 'text'), ...results.map(() => 'resource_link')])
    expect(results.length).toBeLessThanOrEqual(2)
    expect(results[0]).toMatchObject({ path: '/guides/printers', title: 'Printers' })
    expect(results[0]?.href).toContain('/guides/printers')
    expect(textOf(result)).toMatch(/^Title: Printers\nLink: http.*\nPage: \/guides\/printers\nContent: /)
  })

  it('reads the page that a path or the link of a passage names', async () => {
    const { call } = await connect()
    const found = await call('search', { query: 'E-42' })
    const { results } = found.structuredContent as { results: { href: string }[] }

    for (const path of ['/guides/printers', 'guides/printers.md', results[0]?.href]) {
      const page = await call('read_page', { path })
      expect(page.structuredContent).toMatchObject({ path: '/guides/printers', title: 'Printers', nextOffset: null })
      expect(textOf(page)).toContain('Never open the printer lid')
    }
  })

  it('gets absolute links, which lead to the same place from any program', async () => {
    const { call } = await connect()

    const outputs = [await call('search', { query: 'quoll' }), await call('read_page', { path: '/ledger' })]

    const absolute = `The quoll reads [Limits](${docent.url}/sites/docs/reference/limits).`
    for (const output of outputs) {
      expect(textOf(output)).toContain(absolute)
      expect(JSON.stringify(output.structuredContent)).toContain(absolute)
    }
  })

  it('reads a long page in parts that make up the whole and split no character', async () => {
    const { call } = await connect()
    const whole = (await (await docent.post('/discovery/v1/page/docs', { path: '/ledger' })).json()).content

    let offset: number | null = 0
    let read = ''
    while (offset !== null) {
      const part = await call('read_page', { path: '/ledger', offset })
      const page = part.structuredContent as { markdown: string; nextOffset: number | null }
      expect(page.markdown.length).toBeLessThanOrEqual(40_000)
      expect(page.markdown.isWellFormed()).toBe(true)
      read += page.markdown
      offset = page.nextOffset
    }

    expect(whole).toContain(read.trim())
    expect(read).toContain('Line 3999 of the ledger')
  })

  it('lists the pages in the order of the navigation, or those below a path', async () => {
    const { call } = await connect()

    const all = await call('list_pages')
    const guides = await call('list_pages', { under: '/guides' })

    const paths = (result: CallToolResult) =>
      (result.structuredContent as { pages: { path: string }[] }).pages.map(({ path }) => path)
    expect(paths(all)).toEqual(['/', '/guides/install', '/guides/printers', '/ledger', '/reference/limits'])
    expect(paths(guides)).toEqual(['/guides/install', '/guides/printers'])
    expect(textOf(guides)).toContain('Install Kiosk: /guides/install')
  })

  it('is told in sentences what is wrong with a call', async () => {
    const { call } = await connect()

    const missing = await call('read_page', { path: '/nothing' })
    const invalid = await call('search', { query: '', limit: 1_000 })

    expect(missing.isError).toBe(true)
    expect(textOf(missing)).toMatch(
      /^There is no page \/nothing\. .*find the right path with search or list_pages\.$/is,
    )
    expect(invalid.isError).toBe(true)
    expect(textOf(invalid)).toMatch(/^The arguments of search are not valid\. query: .*limit: /)
    await expect(call('delete_page')).rejects.toThrow(/There is no tool delete_page\. Call one of these: search/)
  })
})

describe('readers', () => {
  const askAll = async (headers: Record<string, string>) => {
    const { call } = await connect(headers)
    const results = [
      await call('search', { query: 'zeppelin commission partners' }),
      await call('read_page', { path: '/reference/partners' }),
      await call('list_pages'),
    ]
    return results.map((result) => JSON.stringify(result))
  }

  it('shows a page with groups in no result to a reader without them', async () => {
    const [found, page, list] = await askAll(bearer(assistantKey))

    expect(found).not.toMatch(/zeppelin ride|reference\/partners/)
    expect(page).toContain('There is no page /reference/partners')
    expect(page).not.toContain('zeppelin')
    expect(list).not.toContain('artner')
  })

  it('shows it to a key with the group and to a signed identity', async () => {
    const created = await docent.post(
      '/admin/v1/keys',
      { kind: 'assistant', name: 'Partners', siteId: 'docs', groups: ['partners'] },
      asAdmin,
    )
    const { secret: key } = keyCreatedSchema.parse(await created.json())
    const made = await docent.post('/admin/v1/sites/docs/identity-secret', {}, asAdmin)
    const { secret } = identitySecretSchema.parse(await made.json())
    const token = await new SignJWT({ groups: ['partners'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('u1')
      .setExpirationTime(new Date(noonClock.now() + hourMs))
      .sign(new TextEncoder().encode(secret))

    for (const headers of [bearer(key), { ...bearer(assistantKey), 'x-docent-identity': token }]) {
      for (const result of await askAll(headers)) expect(result).toContain('/reference/partners')
    }
  })
})

describe('what is refused before the protocol', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  it.each([
    ['an unknown key', bearer(`svc_dsc_${'x'.repeat(43)}`), 401, 'key_invalid'],
    ['an admin key', asAdmin, 403, 'wrong_key_kind'],
    ['an identity that the site did not sign', { 'x-docent-identity': 'a.b.c' }, 401, 'reader_identity_invalid'],
    ['a body of another type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('%s has the error body of every path', async (_, headers, status, code) => {
    const response = await send(list, headers)

    expect(response.status).toBe(status)
    expect(errorBodySchema.parse(await response.json()).code).toBe(code)
  })

  it('a site of another key does not exist', async () => {
    const response = await docent.post('/sites/other/mcp', list)

    expect(errorBodySchema.parse(await response.json())).toMatchObject({ code: 'site_not_found' })
    expect(response.status).toBe(404)
  })

  it.each(['GET', 'DELETE', 'PUT'])('%s is no method of a server without sessions', async (method) => {
    const response = await fetch(`${docent.url}/sites/docs/mcp`, {
      method,
      headers: { ...bearer(assistantKey), accept: 'text/event-stream' },
    })

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(errorBodySchema.parse(await response.json()).code).toBe('method_not_allowed')
  })

  it.each([
    ['of a revision without batches', 2, { 'mcp-protocol-version': '2025-06-18' }],
    ['of more than twenty messages', 21, {}],
  ])('a batch %s', async (_, length, headers) => {
    const response = await send(
      Array.from({ length }, () => callOf('list_pages', {})),
      headers,
    )

    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        message: 'Send one JSON-RPC message per request. Only revision 2025-03-26 has batches, of at most 20 messages.',
      },
    })
  })

  it('a method that the server does not offer, as an error of the protocol', async () => {
    const response = await send({
      jsonrpc: '2.0',
      id: 7,
      method: 'sampling/createMessage',
    })

    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32601, message: 'Method not found' },
    })
  })
})

describe('limits', () => {
  const remaining = (response: Response) =>
    Number(/"search";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

  it('counts a call as a search, and nothing that is refused or is no call', async () => {
    const first = await send(callOf('list_pages', {}))
    for (const body of [
      callOf('read_page', { path: '/nothing' }),
      callOf('search', {}),
      callOf('delete_page', {}),
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ]) {
      const response = await send(body)
      expect(response.headers.get('ratelimit')).toBeNull()
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      await response.body?.cancel()
    }
    const search = await docent.post('/discovery/v1/search/docs', { query: 'paper' })
    const last = await send(callOf('search', { query: 'paper' }))

    expect([first.status, search.status, last.status]).toEqual([200, 200, 200])
    expect(remaining(search)).toBe(remaining(first) - 1)
    expect(remaining(last)).toBe(remaining(first) - 2)
  })

  it('refuses with 429 over the limit, in a batch only the calls over it, and never later than the last use', async () => {
    const probe = await send(callOf('list_pages', {}))
    const left = remaining(probe)

    const one = callOf('search', { query: 'paper' })
    const replies = await Promise.all(Array.from({ length: left - 1 }, () => send(one)))
    const batch = (await (await send([one, { ...one, id: 2 }])).json()) as { result?: object; error?: object }[]
    const refused = await Promise.all([send(one), send(one), send(one)])

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(batch.map(({ result }) => result !== undefined)).toEqual([true, false])
    expect(batch[1]?.error).toMatchObject({ code: -32603 })
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(errorBodySchema.parse(await refused[0]?.json()).code).toBe('limit_reached')
  })
})
