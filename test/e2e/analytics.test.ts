import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  analyticsConversationsSchema,
  analyticsFeedbackByPageSchema,
  analyticsFeedbackSchema,
  analyticsThreadSchema,
} from '../../src/contract/analytics.ts'
import { askDocent } from '../support/ask.ts'
import { noonClock } from '../support/noon.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'

const answerable = 'What does the error E-42 mean?'
const cake = 'How do I bake a cake in the kiosk?'
const askedAt = noonClock.now()

let docent: Docent
let threadId: string | null
beforeAll(async () => {
  docent = await startDocent({ clock: noonClock })
  const first = await askDocent(docent, answerable, { body: { currentPath: '/guides/printers' } })
  threadId = first.threadId
  await askDocent(docent, cake, { history: [answerable, 'E-42 …'], body: { threadId } })
  const widget = { messages: [{ role: 'user', parts: [{ type: 'text', text: answerable }] }], fp: 'w' }
  const path = '/discovery/v2/assistant/docs/message'
  await (await docent.post(path, widget, { 'x-docent-client': 'widget' })).text()
  const [started] = first.frames
  const messageId = started?.type === 'start' ? started.messageId : ''
  const rate = (body: object) => docent.post('/discovery/v2/assistant/docs/feedback', { messageId, ...body })
  await rate({ helpful: true, fp: 'a' })
  await rate({ helpful: false, fp: 'b', note: 'Which button?' })
}, 120_000)
afterAll(() => docent.remove())

async function get(path: string, headers: Record<string, string> = asAdmin) {
  const response = await docent.get(`/v1/analytics/default${path}`, headers)
  return { status: response.status, body: (await response.json()) as unknown }
}
const read = async <Schema extends z.ZodType>(schema: Schema, path: string) => schema.parse((await get(path)).body)

describe('conversations', () => {
  it('have a row for each question, newest first', async () => {
    const { conversations, hasMore, nextCursor } = await read(analyticsConversationsSchema, '/assistant')

    expect({ hasMore, nextCursor }).toEqual({ hasMore: false, nextCursor: null })
    expect(conversations.map(({ query, resolutionStatus }) => [query, resolutionStatus])).toEqual([
      [answerable, 'answered'],
      [cake, 'unanswered'],
      [answerable, 'answered'],
    ])
    expect(conversations[2]).toMatchObject({
      id: threadId,
      response: expect.stringContaining('the paper has run out'),
      responseType: 'answer',
      sources: [{ title: expect.stringMatching(/^Printers/), url: expect.stringContaining('/guides/printers') }],
      queryCategory: null,
      pageUrl: `${docent.url}/sites/docs/guides/printers`,
    })
    expect(Date.parse(conversations[2]?.timestamp ?? '')).toBeGreaterThan(askedAt - 1)
  })

  it('come page by page, whose cursor is a ULID', async () => {
    const queries: string[] = []
    const cursors: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { conversations, nextCursor, hasMore } = await read(
        analyticsConversationsSchema,
        `/assistant?limit=1&cursor=${cursor}`,
      )
      queries.push(...conversations.map(({ query }) => query))
      expect(hasMore).toBe(page < 2)
      cursor = nextCursor ?? ''
      cursors.push(cursor)
    }

    const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(cursors).toEqual([ulid, ulid, ''])
    expect(queries).toEqual([answerable, cake, answerable])
    expect((await get('/assistant?cursor=01JUNKNOWN')).status).toBe(400)
  })

  it('end before dateTo', async () => {
    const [today, tomorrow] = [0, 1].map((days) => new Date(askedAt + days * 86_400_000).toISOString().slice(0, 10))
    const count = async (query: string) =>
      (await read(analyticsConversationsSchema, `/assistant?${query}`)).conversations.length

    expect(await count(`dateTo=${today}`)).toBe(0)
    expect(await count(`dateFrom=${today}&dateTo=${tomorrow}`)).toBe(3)
    expect(await count(`dateFrom=${new Date(noonClock.now() + 60_000).toISOString()}`)).toBe(0)
    expect((await get('/assistant?dateFrom=yesterday')).status).toBe(400)
    expect((await get('/assistant?limit=1001')).status).toBe(400)
  })

  it('are read message by message', async () => {
    const thread = await read(analyticsThreadSchema, `/assistant/threads/${threadId}`)

    expect(thread.threadId).toBe(threadId)
    expect(thread.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(thread.messages[2]?.content).toBe(cake)
    expect((await get('/assistant/threads/none')).status).toBe(404)
  })

  it('are counted by caller', async () => {
    expect((await get('/assistant/caller-stats')).body).toEqual({ web: 1, api: 2, other: 0, total: 3 })
  })

  it('are those of one site where it is named', async () => {
    expect((await get('/assistant/caller-stats?site=docs')).body).toMatchObject({ total: 3 })
    expect((await get('/assistant/caller-stats?site=other')).status).toBe(404)
  })
})

describe('feedback', () => {
  it('with a comment is contextual, and all else a thumb', async () => {
    const { feedback, hasMore } = await read(analyticsFeedbackSchema, '/feedback')

    expect(hasMore).toBe(false)
    const shared = { path: '/guides/printers', status: 'pending', contact: null }
    expect(feedback).toMatchObject([
      { ...shared, source: 'contextual', comment: 'Which button?', helpful: false },
      { ...shared, source: 'thumbs_only', comment: null, helpful: true },
    ])
  })

  it('is selected by source and status', async () => {
    const count = async (query: string) => (await read(analyticsFeedbackSchema, `/feedback?${query}`)).feedback.length

    expect(await count('source=contextual')).toBe(1)
    expect(await count('source=code_snippet')).toBe(0)
    expect(await count('status=pending,in_progress')).toBe(2)
    expect(await count('status=resolved,dismissed')).toBe(0)
    expect(await count('status=dismissed')).toBe(0)
    expect((await get('/feedback?status=new')).status).toBe(400)
  })

  it('comes page by page and by page of the site', async () => {
    const first = await read(analyticsFeedbackSchema, '/feedback?limit=1')
    const second = await read(analyticsFeedbackSchema, `/feedback?limit=1&cursor=${first.nextCursor}`)

    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    expect(second.feedback[0]?.source).toBe('thumbs_only')
    expect(await read(analyticsFeedbackByPageSchema, '/feedback/by-page')).toEqual({
      feedback: [{ path: '/guides/printers', thumbsUp: 1, thumbsDown: 1, code: 0, total: 2 }],
      hasMore: false,
    })
  })
})

it.each([
  ['/searches', { searches: [], totalSearches: 0, nextCursor: null }],
  ['/views?limit=250&offset=1', { totals: { human: 0, ai: 0, total: 0 }, views: [], hasMore: false }],
  ['/visitors', { totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false }],
])('answers %s, which is not counted, with zeros', async (path, body) => {
  expect(await get(path)).toEqual({ status: 200, body })
})

it('shows nothing without an admin key, or to another organization', async () => {
  const asRival = await addOtherOrganization(docent)

  expect((await get('/assistant', {})).status).toBe(401)
  expect((await get('/assistant', { authorization: `Bearer ${assistantKey}` })).status).toBe(403)
  expect((await get('/assistant', asRival)).status).toBe(404)
})
