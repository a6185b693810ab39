import { expect, it } from 'vitest'
import { streamWholeReply } from './whole-reply.ts'

const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })
const address = 'https://models.example/v1/chat/completions'
const asked = '{"model":"m","stream": true}'

it('turns a whole answer, its calls and its counts into an event', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }
  const message = { role: 'assistant', content: 'Set it.', tool_calls: [call] }
  const usage = { prompt_tokens: 1, completion_tokens: 2 }
  const counted = { prompt_tokens: '1', completion_tokens: 2 }
  const answer = { id: 'x', choices: [{ message, finish_reason: 'stop' }], usage: counted }

  const reply = await streamWholeReply(json(answer), address, asked)

  expect(reply.headers.get('content-type')).toBe('text/event-stream')
  const [event = '', end] = (await reply.text()).split('\n\n')
  const delta = { role: 'assistant', content: 'Set it.', tool_calls: [{ index: 0, ...call }] }
  expect(JSON.parse(event.slice(6))).toMatchObject({ choices: [{ index: 0, delta, finish_reason: 'stop' }], usage })
  expect(end).toBe('data: [DONE]')
})

it.each([undefined, null])('takes an answer whose reason to end is %s for whole', async (reason) => {
  const choice = { message: { content: 'Set it.' }, finish_reason: reason }

  const reply = await streamWholeReply(json({ choices: [choice] }), address, asked)

  expect(await reply.text()).toContain('"finish_reason":"stop"')
})

it('turns an error into an event, and leaves everything else as it is', async () => {
  const error = { error: { message: 'quota', code: 'insufficient_quota' } }

  expect(await (await streamWholeReply(json(error), address, asked)).text()).toBe(
    `data: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`,
  )
  for (const other of [[], null, { choices: [1] }, { data: [] }]) {
    expect(await (await streamWholeReply(json(other), address, asked)).text()).toBe(JSON.stringify(other))
  }
  expect(await (await streamWholeReply(json(error), address, '{"stream":false}')).text()).toBe(JSON.stringify(error))
})

it('leaves an answer as it is that is nested too deeply', async () => {
  const deep = `{"choices":[{"message":{"content":"a"},"b":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`
  const reply = new Response(deep, { headers: { 'content-type': 'application/json' } })

  expect(await (await streamWholeReply(reply, address, asked)).text()).toBe(deep)
})
