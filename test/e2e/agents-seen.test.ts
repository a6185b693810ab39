import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentInsightsSchema } from '../../src/contract/agent-insights.ts'
import { gapListSchema, insightsSummarySchema } from '../../src/contract/insights.ts'
import { noonClock } from '../support/noon.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

const asAdmin = { authorization: `Bearer ${adminKey}` }
const userAgent = 'claude-code/2.1.0 (session 0a1b2c3d)'

let docent: Docent
beforeAll(async () => (docent = await startDocent({ clock: noonClock, env: { DOCENT_TRUST_PROXY: '127.0.0.1' } })))
afterAll(() => docent.remove())

const visit = async (path: string, headers: Record<string, string>) =>
  (await docent.get(`/sites/docs${path}`, { 'x-forwarded-for': '203.0.113.77', ...headers })).text()

async function call(name: string, args: object) {
  const params = {
    name,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'goose', version: '1' },
    },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const accept = 'application/json, text/event-stream'
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  await (await docent.post('/sites/docs/mcp', body, { accept, ...headers })).text()
}

it('shows what agents read and missed apart from people, makes gaps of it, and keeps nothing else of them', async () => {
  await visit('/guides/printers.md', { 'user-agent': userAgent })
  await visit('/guides/printers', { 'user-agent': userAgent, accept: 'text/markdown' })
  await visit('/llms.txt', { 'user-agent': userAgent })
  await visit('/guides/throttling', { 'user-agent': userAgent, accept: 'text/markdown', dnt: '1' })
  await visit('/wp-login.php', { 'user-agent': 'curl/8.5.0' })
  await visit('/guides/printers', {
    'user-agent': 'Mozilla/5.0',
    'accept-language': 'en',
    'sec-fetch-mode': 'navigate',
  })
  await call('search', { query: 'zzqx quantum flux' })
  await call('read_page', { path: '/guides/ledger-export' })
  await call('submit_feedback', { path: '/guides/printers', note: 'The width of label paper is missing.' })

  const insights = agentInsightsSchema.parse(await (await docent.get('/admin/v1/insights/agents', asAdmin)).json())

  expect(insights.byAgent).toEqual(
    expect.arrayContaining([
      { class: 'coding-agent', name: 'claude-code', visits: 4, missed: 1 },
      { class: 'coding-agent', name: 'goose', visits: 3, missed: 3 },
      { class: 'program', name: 'curl', visits: 1, missed: 1 },
    ]),
  )
  expect(insights.callersByClass).toContainEqual({ class: 'coding-agent', callersPerDay: 2 })
  expect(insights.pages).toEqual([{ path: '/guides/printers', visits: 2 }])
  expect(insights.searchedInVain).toMatchObject([{ text: 'zzqx quantum flux', count: 1, agents: ['goose'] }])
  expect(insights.addressesInVain.map(({ text }) => text).toSorted()).toEqual([
    '/guides/ledger-export',
    '/guides/throttling',
    '/wp-login.php',
  ])
  expect(insights.feedback).toMatchObject([{ path: '/guides/printers', helpful: false }])
  const gaps = gapListSchema.parse(await (await docent.get('/admin/v1/insights/gaps?siteId=docs', asAdmin)).json())
  expect(gaps.items.flatMap(({ questions }) => questions.map(({ question }) => question)).toSorted()).toEqual([
    'The width of label paper is missing.',
    'Where is /guides/ledger-export?',
    'Where is /guides/throttling?',
    'zzqx quantum flux',
  ])
  const summary = insightsSummarySchema.parse(await (await docent.get('/admin/v1/insights/summary', asAdmin)).json())
  expect(summary.total.questions).toBe(0)
  const { store } = docent.service
  const stored = await Promise.all([
    store.durable.selectFrom('counters').selectAll().execute(),
    store.durable.selectFrom('messages').selectAll().execute(),
    store.durable.selectFrom('feedback').selectAll().execute(),
  ])
  expect(JSON.stringify(stored)).not.toMatch(/203\.0\.113\.77|session 0a1b2c3d/)
})
