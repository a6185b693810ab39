import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenAnswerMessage } from '../../src/server/streams/run-source.ts'
import { drainedMessage } from '../../src/server/streams/write-answer-stream.ts'
import { v4Lineup, v5Lineup, v5Names } from './client-lineup.ts'
import { createV5Client } from './drive-v5.ts'
import { answerText, citedSource, reasoningText } from './scripted-answers.ts'
import {
  firstThreadId,
  refusalBody,
  scriptedQuestions,
  startScriptedServer,
  type ScriptedServer,
} from './scripted-server.ts'
import { waitUntil } from './wire-client.ts'

describe.each([...v4Lineup, ...v5Lineup])('$name', ({ create, threadPlaces, toolOutputs, citation }) => {
  let server: ScriptedServer

  beforeAll(async () => {
    server = await startScriptedServer()
  })
  afterAll(() => server.close())

  const startChat = () => create({ server, body: { fp: 'anonymous', retrievalPageSize: 3, filter: null } })

  it('shows the whole answer exactly [client-text]', async () => {
    const chat = await startChat()

    const turn = await chat.ask(scriptedQuestions.full)

    expect(turn).toMatchObject({
      error: null,
      text: answerText,
      reasoning: reasoningText,
      sources: [{ url: citedSource.url, title: citedSource.title }],
      citations: [citation],
      toolOutputs,
    })
  })

  it('runs no tool of its own [v2-tools-run-here]', async () => {
    const chat = await startChat()

    const turn = await chat.ask(scriptedQuestions.full)

    expect(turn.toolsToRun).toEqual([])
  })

  it('finds the thread id in each place and goes on with it, history included [client-thread] [request-liberal]', async () => {
    const chat = await startChat()

    const first = await chat.ask(scriptedQuestions.full)
    const second = await chat.ask('And then?')

    const everywhere = Object.fromEntries(threadPlaces.map((place) => [place, firstThreadId]))
    expect(first.threadIds).toEqual(everywhere)
    expect(second.threadIds).toEqual(everywhere)
    expect(server.questions.at(-1)).toMatchObject({
      fp: 'anonymous',
      threadId: firstThreadId,
      retrievalPageSize: 3,
      question: 'And then?',
      messages: [
        { role: 'user', text: scriptedQuestions.full },
        { role: 'assistant', text: answerText.replaceAll('\0', '') },
        { role: 'user', text: 'And then?' },
      ],
    })
  })

  it('shows the sentence of an HTTP error [client-http-error]', async () => {
    const chat = await startChat()

    const turn = await chat.ask(scriptedQuestions.refused)

    expect(turn.error).toBe(JSON.stringify(refusalBody))
  })

  it('shows the sentence of a failure in mid-stream and keeps the text [client-stream-error] [http-clean-end]', async () => {
    const chat = await startChat()

    const turn = await chat.ask(scriptedQuestions.failing)

    expect(turn).toMatchObject({ error: brokenAnswerMessage, text: 'partial ' })
  })

  it('stops without an error and tells the source [client-stop] [http-disconnect]', async () => {
    const chat = await startChat()
    const outcomesBefore = server.outcomes.length

    const asking = chat.ask(scriptedQuestions.endless)
    await waitUntil(() => chat.partialText().startsWith('partial '))
    await chat.stop()
    const turn = await asking
    await waitUntil(() => server.outcomes.length > outcomesBefore)

    expect(turn.error).toBeNull()
    expect(turn.text).toMatch(/^partial /)
    expect(server.outcomes.at(-1)).toBe('disconnected')
  })

  it('shows the sentence of a drain [http-drain]', async () => {
    const draining = await startScriptedServer()
    const chat = await create({ server: draining, body: { fp: 'anonymous' } })

    const asking = chat.ask(scriptedQuestions.endless)
    await waitUntil(() => chat.partialText().startsWith('partial '))
    draining.drain()
    const turn = await asking
    await draining.close()

    expect(turn.error).toBe(drainedMessage)
    expect(turn.text).toMatch(/^partial /)
  })
})

describe.each(v5Names.map((release) => ({ release })))('$release', ({ release }) => {
  it.each([false, true])('is told from other clients, own body %s [v2-sdk-detection]', async (hasOwnBody) => {
    const server = await startScriptedServer()
    const chat = await createV5Client(release, { server, body: { fp: 'anonymous' }, hasOwnBody })

    await chat.ask(scriptedQuestions.full)
    await server.close()

    expect(server.questions.map(({ isSdkClient }) => isSdkClient)).toEqual([true])
  })
})

// The first releases take 204 for an answer that is still to come and wait for ever; there is no reply that they understand.
it.each(v5Names.filter((release) => release !== 'ai-v5-oldest'))(
  'finds nothing to resume with %s and shows no error [client-resume-none]',
  async (release) => {
    const server = await startScriptedServer()
    const chat = await createV5Client(release, { server, body: { fp: 'anonymous' } })

    const turn = await chat.resume()
    await server.close()

    expect(turn.error).toBeNull()
    expect(server.requests.at(-1)).toMatchObject({ method: 'GET' })
  },
)

it('gives a reader of plain events the thread id in the finish event [v2-finish-raw]', async () => {
  const server = await startScriptedServer()
  const body = JSON.stringify({ fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'q' }] }] })

  const response = await fetch(server.url('v2'), { method: 'POST', headers: server.headers, body })
  const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: {'))
  await server.close()

  expect(JSON.parse(events.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({
    type: 'finish',
    finishReason: 'stop',
    threadId: firstThreadId,
    messageMetadata: { threadId: firstThreadId },
  })
})
