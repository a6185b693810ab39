import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatModel } from '../../src/models/chat-model.ts'
import { createScriptedModel, paidFinish } from '../support/scripted-model.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { v4Lineup, v5Lineup } from './client-lineup.ts'

// Everything that an answer of a real model holds, through the whole product, as each release of the AI SDK sees it.

/** Thinks, searches again, thinks once more and answers; asked to break, it breaks off in the middle of its answer. */
function createThinkingModel(): ChatModel {
  const searching = createScriptedModel([
    [
      { type: 'reasoning', text: 'The code is of a printer.' },
      { type: 'call', toolName: 'search', input: { query: 'printer paper' } },
    ],
  ])
  const answering = createScriptedModel([
    [
      { type: 'reasoning', text: 'Now it is clear.' },
      { type: 'text', text: 'The code `E-42` means that the paper has run out: [Printers](/guides/printers).' },
      paidFinish(0.001),
    ],
  ])
  const breaking = createScriptedModel([
    [
      { type: 'text', text: 'The code means ' },
      { type: 'cut', error: new Error('the connection was cut') },
    ],
  ])
  return {
    ...answering,
    doStream: (options) => {
      const { prompt } = options
      const searches = prompt.length - prompt.findLastIndex(({ role }) => role === 'user')
      if (JSON.stringify(prompt).includes('Break')) return breaking.doStream(options)
      return searches > 3 ? answering.doStream(options) : searching.doStream(options)
    },
  }
}

const fragment = 'error-e-42:~:text=The%20code%20E%2D42%20means%20that%20the%20paper%20has'
const sectionUrl = () => `${docent.url}/sites/docs/guides/printers#${fragment}`

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ model: createThinkingModel() })
})
afterAll(() => docent.remove())

describe.each([...v4Lineup, ...v5Lineup])('$name and a model that thinks and searches', ({ create }) => {
  const startChat = () =>
    create({
      server: {
        url: (version) => `${docent.url}/discovery/${version}/assistant/docs/message`,
        headers: { authorization: `Bearer ${assistantKey}` },
        close: async () => {},
      },
      body: { fp: 'anonymous' },
    })

  it('show its text, its reasoning, both searches and the source, and run no tool [client-text] [v2-tools-run-here]', async () => {
    const chat = await startChat()

    const turn = await chat.ask('What does the error E-42 mean?')

    expect(turn).toMatchObject({
      error: null,
      text: `The code \`E-42\` means that the paper has run out: [Printers](${docent.url}/sites/docs/guides/printers).`,
      sources: [{ url: sectionUrl(), title: 'Printers: Error E-42' }],
      citations: [
        { number: '1', url: sectionUrl(), quote: 'The code `E-42` means that the paper has run out.', verdict: 'held' },
      ],
      toolsToRun: [],
    })
    expect(turn.reasoning).toContain('The code is of a printer.')
    expect(turn.reasoning).toContain('Now it is clear.')
    expect(turn.toolOutputs).toHaveLength(2)
    for (const output of turn.toolOutputs) {
      expect(output).toEqual(expect.arrayContaining([expect.objectContaining({ path: '/guides/printers' })]))
    }
  })

  it('read which model answered and what the answer was judged to be [client-metadata]', async () => {
    const chat = await startChat()

    const turn = await chat.ask('What does the error E-42 mean?')

    expect(turn.metadata).toEqual({
      citations: [{ number: '1', url: sectionUrl(), title: 'Printers' }],
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      version: null,
      model: 'test/scripted',
      answered: true,
      verdict: 'supported',
      verdictReasons: [],
      finishReason: 'stop',
      usage: { inputTokens: 20, outputTokens: 55 },
    })
  })

  it('take the whole history back and go on in the same thread [request-liberal] [client-thread]', async () => {
    const chat = await startChat()

    const first = await chat.ask('What does the error E-42 mean?')
    const second = await chat.ask('What does the error E-42 mean for the paper of the printer?')

    expect(second).toMatchObject({ error: null, text: first.text, threadIds: first.threadIds })
  })

  it('keep the text and show a sentence when the model breaks off [client-stream-error]', async () => {
    const chat = await startChat()

    const turn = await chat.ask('Break in the middle of the answer.')

    expect(turn).toMatchObject({
      error: 'The answer broke off because the model failed. Ask again.',
      text: 'The code means ',
    })
  })
})
