import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feedbackListSchema } from '../../src/contract/feedback.ts'
import { threadListSchema, transcriptSchema } from '../../src/contract/threads.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

const asAdmin = { authorization: `Bearer ${adminKey}` }
const leak = `svc_${'Z'.repeat(40)}`
const feedbackPath = '/discovery/v2/assistant/docs/feedback'
const threadsPath = '/admin/v1/sites/docs/threads'

const running: Docent[] = []
let docent: Docent
beforeAll(async () => {
  docent = await start()
})
afterAll(async () => {
  for (const each of running) await each.remove()
})

/** Its model repeats a secret. */
async function start(env: Record<string, string> = {}): Promise<Docent> {
  const model = createScriptedModel([[{ type: 'text', text: `Write to ann@example.com about ${leak} .` }]])
  const started = await startDocent({ model, env })
  running.push(started)
  return started
}

async function ask(text: string, more: object = {}, server = docent) {
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
  const response = await server.post('/discovery/v2/assistant/docs/message', { fp: 'reader', messages, ...more })
  const stream = await response.text()
  const messageId = /"messageId":"([^"]+)"/.exec(stream)?.[1] ?? ''
  return { messageId, threadId: response.headers.get('x-thread-id') ?? '', stream }
}

async function readTranscript(threadId: string, query = '', server = docent) {
  const response = await server.get(`${threadsPath}/${encodeURIComponent(threadId)}${query}`, asAdmin)
  return transcriptSchema.parse(await response.json())
}

describe('feedback', () => {
  it('is stored, changed by the same reader, and listed for admins', async () => {
    const { messageId, threadId } = await ask('What is Kiosk?')

    const first = await docent.post(feedbackPath, { messageId, helpful: false, fp: 'reader', reason: 'outdated' })
    const second = await docent.post(feedbackPath, {
      messageId,
      helpful: true,
      fp: 'reader',
      note: 'Ask ann@example.com',
    })
    const listed = feedbackListSchema.parse(await (await docent.get('/admin/v1/feedback?siteId=docs', asAdmin)).json())

    expect([first.status, second.status]).toEqual([200, 200])
    expect(await second.json()).toMatchObject({ messageId, helpful: true, reason: null, note: 'Ask [e-mail]' })
    expect(listed.items).toMatchObject([{ messageId, threadId, fp: 'reader', helpful: true, note: 'Ask [e-mail]' }])
    expect((await readTranscript(threadId)).messages.map(({ ratings }) => ratings)).toEqual([
      [],
      [{ helpful: true, reason: null, note: 'Ask [e-mail]' }],
    ])
    expect(second.headers.get('ratelimit')).toMatch(/^"feedback";r=\d+/)
  })

  it.each([
    ['an answer that is not there', { messageId: 'msg_none', helpful: true }, 404, 'message_not_found'],
    ['no verdict', { messageId: 'msg_none' }, 400, 'invalid_request'],
    ['a note without an end', { messageId: 'm', helpful: true, note: 'x'.repeat(4_001) }, 400, 'invalid_request'],
  ])('on %s is refused', async (_, body, status, code) => {
    const response = await docent.post(feedbackPath, body)

    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
    const counts = docent.service.store.durable.selectFrom('counters').select('count').where('name', '=', 'feedback')
    expect(await counts.execute()).toEqual([{ count: 2 }])
  })

  it('is not for admin keys, and its list is not for assistant keys', async () => {
    const given = await docent.post(feedbackPath, { messageId: 'm', helpful: true }, asAdmin)
    const listed = await docent.post('/admin/v1/feedback', {})

    expect([given.status, listed.status]).toEqual([403, 403])
  })
})

describe('transcripts', () => {
  it('hold what was asked and answered, without secrets, though the reader saw them', async () => {
    const { threadId, stream } = await ask(`Is ${leak} mine, or 4111 1111 1111 1111?`)

    const { messages, fp } = await readTranscript(threadId)

    expect(stream).toContain(leak)
    expect(fp).toBe('reader')
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Is [key] mine, or [card number]?'],
      ['assistant', 'Write to [e-mail] about [key] .'],
    ])
    const rows = await docent.service.store.durable.selectFrom('messages').select('text').execute()
    expect(JSON.stringify(rows)).not.toContain(leak)
  })

  it('hold everything where masking is off', async () => {
    const open = await start({ DOCENT_MASK_STORED: 'false' })
    const { threadId } = await ask(`Is ${leak} mine?`, {}, open)

    const { messages } = await readTranscript(threadId, '', open)

    expect(messages[0]?.text).toBe(`Is ${leak} mine?`)
  })

  it('come in pages, threads and messages alike, also of ids that clients chose', async () => {
    const threadId = 'a thread/of mine?'
    for (const text of ['One?', 'Two?', 'Three?']) await ask(text, { threadId })

    const list = threadListSchema.parse(await (await docent.get(`${threadsPath}?limit=1`, asAdmin)).json())
    const first = await readTranscript(threadId, '?limit=4')
    const second = await readTranscript(threadId, `?limit=4&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)

    expect(list.items).toMatchObject([{ id: threadId }])
    expect(list.nextCursor).not.toBeNull()
    expect(
      [...first.messages, ...second.messages].filter(({ role }) => role === 'user').map(({ text }) => text),
    ).toEqual(['One?', 'Two?', 'Three?'])
    expect(second.nextCursor).toBeNull()
  })

  it('are deleted with their messages and feedback', async () => {
    const { threadId, messageId } = await ask('What is Kiosk?')
    await docent.post(feedbackPath, { messageId, helpful: true })
    const remove = () =>
      fetch(`${docent.url}${threadsPath}/${threadId}`, {
        method: 'DELETE',
        headers: { ...asAdmin, 'content-type': 'application/json' },
      })

    const statuses = [(await remove()).status, (await remove()).status]

    expect(statuses).toEqual([204, 404])
    expect((await docent.get(`${threadsPath}/${threadId}`, asAdmin)).status).toBe(404)
    const left = await docent.service.store.durable.selectFrom('feedback').select('messageId').execute()
    expect(left.map(({ messageId }) => messageId)).not.toContain(messageId)
  })

  it('are for admin keys only', async () => {
    const statuses = [
      (await docent.get(threadsPath)).status,
      (await docent.get(threadsPath, { authorization: `Bearer svc_dsc_${'b'.repeat(43)}` })).status,
      (await docent.get('/admin/v1/sites/none/threads', asAdmin)).status,
    ]

    expect(statuses).toEqual([401, 403, 404])
  })
})
