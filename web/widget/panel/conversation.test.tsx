import { beforeEach, expect, it, vi } from 'vitest'
import { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import { Conversation } from './conversation.ts'
import { readText } from './turn.ts'

beforeEach(() => sessionStorage.clear())

const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`

function answer(messageId: string, text: string): string {
  const id = 't'
  const events = [
    { type: 'start', messageId },
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
  ]
  return [...events, { type: 'finish', messageMetadata: { threadId: 'T' } }].map(frame).join('')
}

const whole = (messageId: string, text: string) => new Response(answer(messageId, text))
/** Ends in the middle, as when the connection breaks. */
const cut = (messageId: string, text: string) =>
  new Response(answer(messageId, text).replace(/data: {"type":"finish.*/, ''))
const nothing = () => new Response(null, { status: 204 })

const refused = (code: string) => Response.json({ error: 'No.', code }, { status: 404 })

interface Sent {
  method: string
  path: string
  body: { messages: { role: string; parts: { text: string }[] }[] } | null
}

/** A conversation with a service that gives these replies, one after the other. */
function start(...replies: (() => Response)[]) {
  const sent: Sent[] = []
  const requests = new ServiceRequests({
    site: 'docs',
    fetch: async (address, init) => {
      const path = new Request(address).url.replace(/^.*\/v2\//, '')
      sent.push({
        method: init?.method ?? 'GET',
        path,
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
      })
      const reply = replies.shift()
      if (reply === undefined) throw new TypeError('offline')
      return reply()
    },
  })
  const deps = {
    site: 'docs',
    requests,
    emit: () => {},
    describeFault: String,
    takeSubject: () => [],
    isKept: () => true,
    changed: () => {},
  }
  const conversation = new Conversation(deps)
  const read = () => conversation.turns.map((turn) => [turn.question, readText(turn), turn.state])
  return { conversation, sent, read, reload: () => new Conversation(deps) }
}

it('continues an answer whose connection broke, without a word twice', async () => {
  vi.useFakeTimers()
  const { conversation, sent, read } = start(
    () => cut('m1', 'One'),
    () => whole('m1', 'One two.'),
  )

  const asked = conversation.ask('Why?')
  await vi.runAllTimersAsync()
  await asked
  vi.useRealTimers()

  expect(read()).toEqual([['Why?', 'One two.', 'done']])
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET'])
})

it('does not take the answer before for one that did not get through', async () => {
  vi.useFakeTimers()
  const { conversation, read } = start(
    () => whole('m1', 'One.'),
    () => Response.error(),
    () => whole('m1', 'One.'),
  )
  await conversation.ask('Why?')

  const asked = conversation.ask('And then?')
  await vi.runAllTimersAsync()
  await asked
  vi.useRealTimers()

  expect(read()).toEqual([
    ['Why?', 'One.', 'done'],
    ['And then?', '', 'failed'],
  ])
})

it('shows the whole answer after a reload', async () => {
  const { conversation, reload } = start(
    () =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(frame({ type: 'start', messageId: 'm1' }))),
        }),
      ),
    () => whole('m1', 'One two.'),
  )
  void conversation.ask('Why?')
  await vi.waitFor(() => expect(conversation.turns[0]?.messageId).toBe('m1'))

  const next = reload()
  await next.resume()

  expect(next.turns.map((turn) => [turn.question, readText(turn), turn.state])).toEqual([['Why?', 'One two.', 'done']])
})

it('says that an answer ended that the service no longer has', async () => {
  const { conversation, reload } = start(() => new Response(new ReadableStream()), nothing)
  void conversation.ask('Why?')

  const next = reload()
  await next.resume()

  expect(next.turns.map(({ state }) => state)).toEqual(['stopped'])
})

it('asks again in place of the last answer, with the conversation before it', async () => {
  const { conversation, sent, read } = start(
    () => whole('m1', 'One.'),
    () => whole('m2', 'Two.'),
    () => whole('m3', 'Three.'),
  )
  await conversation.ask('Why?')
  await conversation.ask('And then?')

  await conversation.askAgain()

  expect(read()).toEqual([
    ['Why?', 'One.', 'done'],
    ['And then?', 'Three.', 'done'],
  ])
  const texts = sent.map(({ body }) => body?.messages.map(({ parts }) => parts[0]?.text))
  expect(texts[2]).toEqual(texts[1])
})

it('keeps the time from which the service answers again', async () => {
  const refusal = { error: 'Too many.', code: 'limit_reached' }
  const { conversation } = start(() => Response.json(refusal, { status: 429, headers: { 'retry-after': '30' } }))

  await conversation.ask('Why?')

  const [turn] = conversation.turns
  expect(turn?.state).toBe('failed')
  expect((turn?.retryAt ?? 0) - Date.now()).toBeGreaterThan(25_000)
})

it('takes a rating back that the service does not get', async () => {
  const { conversation } = start(
    () => whole('m1', 'One.'),
    () => Response.json({}),
    () => Response.json({ error: 'No.' }, { status: 500 }),
  )
  await conversation.ask('Why?')
  const [turn] = conversation.turns
  if (!turn) throw new Error('There is no turn.')

  expect(await conversation.rate(turn, { helpful: false, reason: 'outdated' })).toBe(true)
  expect(await conversation.rate(turn, { helpful: true })).toBe(false)
  expect([turn.helpful, turn.reason]).toEqual([false, 'outdated'])
})

it('goes on with a conversation whose thread the service has deleted', async () => {
  const { conversation, sent, read } = start(
    () => whole('m1', 'One.'),
    () => refused('thread_not_found'),
    () => whole('m2', 'Two.'),
  )
  await conversation.ask('First?')

  await conversation.ask('Second?')

  expect(read()).toEqual([
    ['First?', 'One.', 'done'],
    ['Second?', 'Two.', 'done'],
  ])
  expect(sent.at(-1)?.body).toMatchObject({ threadId: 'T', threadKey: null })
})

it('asks once if the service refuses for another reason', async () => {
  const { conversation, sent, read } = start(() => refused('site_not_found'))

  await conversation.ask('First?')

  expect(read()).toEqual([['First?', '', 'failed']])
  expect(sent).toHaveLength(1)
})
