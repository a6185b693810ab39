import { type ChatState, type UIMessage, AbstractChat, DefaultChatTransport } from 'ai-v7'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainSearchSchema } from '../../src/contract/explain-search.ts'
import { playgroundPartSchemas } from '../../src/contract/playground.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { createScriptedModel, paidFinish, type ScriptedModel } from '../support/scripted-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const question = 'What does the error E-42 mean?'
const said = 'The code `E-42` means no paper. Set `NOWHERE_PORT`. See [Printers](/guides/printers).'

let docent: Docent
let model: ScriptedModel
beforeAll(async () => {
  model = createScriptedModel([[{ type: 'text', text: said }, paidFinish(0.25)]])
  docent = await startDocent({ model })
}, 120_000)
afterAll(() => docent.remove())

class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>['status'] = 'ready'
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void (this.messages = [...this.messages, message])
  popMessage = () => void (this.messages = this.messages.slice(0, -1))
  replaceMessage = (index: number, message: UIMessage) => void (this.messages = this.messages.with(index, message))
  snapshot = <T>(value: T): T => structuredClone(value)
}

class Chat extends AbstractChat<UIMessage> {}

/** A chat as `useChat` of the AI SDK 7 holds it, pointed at the playground. */
async function chatInPlayground(
  body: object = {},
): Promise<{ message: UIMessage | undefined; error: Error | undefined }> {
  const state = new PlainState()
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${docent.url}/admin/v1/sites/docs/playground`,
    headers: asAdmin,
    body,
  })
  const chat = new Chat({ state, transport })
  await chat.sendMessage({ text: question })
  return { message: chat.messages.at(-1), error: chat.error }
}

const broad = 'How do I install Kiosk and connect a printer?'
const post = (body: object, headers: Record<string, string> = asAdmin) =>
  docent.post('/admin/v1/sites/docs/playground', { messages: toMessages(question), ...body }, headers)
const toMessages = (text: string) => [{ role: 'user', parts: [{ type: 'text', text }] }]

it('answers a chat of the AI SDK as readers are answered, with verdict, steps, timings and cost as parts', async () => {
  const { message, error } = await chatInPlayground()

  expect(error).toBeUndefined()
  const parts = message?.parts ?? []
  expect(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(
    said.replace('(/guides', `(${docent.url}/sites/docs/guides`),
  )
  const dataOf = (type: keyof typeof playgroundPartSchemas): unknown => {
    const part = parts.find((each) => each.type === type)
    return playgroundPartSchemas[type].parse(part && 'data' in part ? part.data : null)
  }
  expect(dataOf('data-docent-step')).toMatchObject({
    toolName: 'search',
    outcome: 'returned',
    input: { query: question },
  })
  expect(dataOf('data-docent-verdict')).toMatchObject({
    verdict: 'partial',
    sentences: [{ state: 'held' }, { text: 'Set `NOWHERE_PORT`.', state: 'missing' }, { state: 'no-facts' }],
  })
  expect(dataOf('data-docent-cost')).toEqual({
    model: 'test/scripted',
    inputTokens: 10,
    outputTokens: 12_500,
    costUsd: 0.25,
  })
  expect(dataOf('data-docent-timings')).toMatchObject({ totalMs: expect.any(Number) as number })
})

it('stores no conversation and counts no question, and counts the answer and what it cost', async () => {
  const summary = await sendAsAdmin(docent, 'GET', '/admin/v1/insights/summary')
  const before = summary.body as { playgroundAnswers: number; playgroundCostUsd: number }
  await (await post({})).text()
  const after = await sendAsAdmin(docent, 'GET', '/admin/v1/insights/summary')

  expect(after.body).toMatchObject({
    total: { questions: 0 },
    playgroundAnswers: before.playgroundAnswers + 1,
    playgroundCostUsd: expect.closeTo(before.playgroundCostUsd + 0.25, 6) as number,
  })
  expect((await sendAsAdmin(docent, 'GET', '/admin/v1/sites/docs/threads')).body).toMatchObject({ items: [] })
  expect((await sendAsAdmin(docent, 'GET', '/admin/v1/usage/keys')).body).toMatchObject({ items: [{ used: 0 }] })
})

it('takes instructions, page size, filter and model of the request instead of those of the site', async () => {
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { instructions: 'Speak like a pirate.' } })
  const instructed = async (body: object) => {
    const from = model.calls.length
    const text = await (await post({ messages: toMessages(broad), ...body })).text()
    return { prompt: JSON.stringify(model.calls[from]?.prompt ?? null), text }
  }

  const asStored = await instructed({})
  const changed = await instructed({ instructions: 'Be brief.', retrievalPageSize: 1 })
  const offline = await instructed({ model: 'docent/offline' })

  expect(asStored.prompt).toContain('Speak like a pirate.')
  expect(changed.prompt).toContain('Be brief.')
  expect(changed.prompt).not.toContain('pirate')
  expect(countFound(changed.text)).toBe(1)
  expect(countFound(asStored.text)).toBeGreaterThan(1)
  expect(offline.prompt).toBe('null')
  expect(offline.text).toContain('"model":"docent/offline"')
})

function countFound(stream: string): number {
  const line = stream.split('\n').find((each) => each.includes('"data-docent-step"')) ?? ''
  const { data } = JSON.parse(line.slice('data: '.length)) as { data: { pages: unknown[] } }
  return data.pages.length
}

it('refuses a model that is not configured, a body without a question, and other organizations', async () => {
  const refused = [
    await post({ model: 'openai/gpt-unknown' }),
    await post({ messages: [] }),
    await post({ instructions: 'x'.repeat(4_001) }),
    await post({}, await addOtherOrganization(docent)),
    await post({}, {}),
  ]

  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 404, 403])
  expect(await refused[0]?.json()).toMatchObject({ error: expect.stringContaining('test/scripted') as string })
})

it('explains a search by the parts of each score', async () => {
  const { status, body } = await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/explain-search', {
    query: 'error E-42 paper',
    pageSize: 3,
    filter: { tag: 'none-has-this' },
  })
  const unfiltered = await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/explain-search', {
    query: 'error E-42 paper',
  })
  const [hit] = explainSearchSchema.parse(unfiltered.body).hits

  expect(status).toBe(200)
  expect(explainSearchSchema.parse(body).hits).toEqual([])
  expect(explainSearchSchema.parse(body).removed[0]).toMatchObject({ path: '/guides/printers', reasons: ['tag'] })
  expect(hit).toMatchObject({ path: '/guides/printers', words: { rank: 1 }, meaning: null, fused: null })
  expect(hit?.words.terms.length).toBeGreaterThan(1)
})
