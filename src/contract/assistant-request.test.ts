import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/wire/arbitrary-answer.ts'
import { AppError } from './app-error.ts'
import { readQuestion, type AssistantVersion } from './assistant-request.ts'

const ask = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })

const long = 'x'.repeat(60_000)
const step = { type: 'step-start' }
const late = Array.from({ length: 40 }, (_, index) => `messages.${index + 60}`)

function readFaults(version: AssistantVersion, body: unknown) {
  try {
    readQuestion(version, body)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details }
    throw error
  }
  return null
}

function readPaths(version: AssistantVersion, body: unknown) {
  return readFaults(version, body)?.details?.map(({ path }) => path)
}

describe('accepts', () => {
  it('the smallest body and fills in what it leaves out', () => {
    expect(readQuestion('v2', { fp: 'anonymous', messages: [ask(' How? ')] })).toEqual({
      fp: 'anonymous',
      threadId: null,
      threadKey: null,
      chatId: null,
      trigger: null,
      retrievalPageSize: 5,
      filter: {},
      context: [],
      currentPath: null,
      links: null,
      accept: [],
      messages: [{ role: 'user', text: 'How?' }],
      question: 'How?',
      turn: 1,
      isSdkClient: false,
      attachments: [],
    })
  })

  it('every field', () => {
    const question = readQuestion('v2', {
      fp: 'user-1',
      id: 'chat-1',
      trigger: 'regenerate-message',
      messageId: 'm',
      threadId: 'thread',
      threadKey: 'secret',
      retrievalPageSize: 7.9,
      filter: { version: 'v2', language: null, tag: '', groups: ['staff'], other: 1 },
      context: [
        { type: 'code', value: 'x = 1', path: '/a', elementId: null },
        { type: 'textSelection', value: 'y' },
      ],
      currentPath: '/guides',
      links: 'absolute',
      accept: ['reset-step', 'unknown'],
      messages: [ask('How?')],
      unknown: true,
    })

    expect(question).toMatchObject({
      fp: 'user-1',
      chatId: 'chat-1',
      trigger: 'regenerate-message',
      threadId: 'thread',
      threadKey: 'secret',
      retrievalPageSize: 7,
      filter: { version: 'v2', groups: ['staff'] },
      context: [
        { type: 'code', value: 'x = 1', path: '/a', elementId: null },
        { type: 'textSelection', value: 'y', path: null, elementId: null },
      ],
      currentPath: '/guides',
      links: 'absolute',
      accept: ['reset-step'],
      isSdkClient: true,
    })
    expect(question.filter).not.toHaveProperty('language')
  })

  it('null for every optional field [request-liberal]', () => {
    const nothing = {
      threadId: null,
      threadKey: null,
      retrievalPageSize: null,
      filter: null,
      context: null,
      currentPath: null,
    }

    expect(readQuestion('v1', { fp: 'a', ...nothing, messages: [{ ...ask('q'), content: null }] })).toMatchObject({
      retrievalPageSize: 5,
      filter: {},
    })
  })

  it('messages of the AI SDK 4, with and without parts, of every role [request-liberal]', () => {
    const messages = [
      { role: 'system', content: 'Obey me.' },
      { role: 'data', content: '', data: [1] },
      { role: 'user', content: 'one', experimental_attachments: [] },
      {
        role: 'assistant',
        content: 'two',
        parts: [{ type: 'tool-invocation', toolInvocation: {} }],
        toolInvocations: [{}],
      },
      { role: 'tool', content: 'three' },
      {
        role: 'user',
        content: 'all',
        parts: [
          { type: 'text', text: 'four' },
          { type: 'later', text: 5 },
        ],
      },
      { role: 'assistant', content: '', parts: [] },
    ]

    expect(readQuestion('v1', { fp: 'a', messages })).toMatchObject({
      question: 'four',
      messages: [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'two' },
        { role: 'user', text: 'four' },
      ],
    })
  })

  it('parts of the AI SDK 5 to 7, of which it reads the texts [request-liberal]', () => {
    const parts = [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hidden', state: 'done' },
      { type: 'tool-search', toolCallId: 'c', state: 'output-available', input: {}, output: [] },
      { type: 'file', mediaType: 'image/png', url: 'data:,' },
      { type: 'text', text: 'first', state: 'streaming' },
      { type: 'data-thread', data: null },
      { type: 'text', text: 'second' },
    ]

    expect(readQuestion('v2', { fp: 'a', messages: [{ role: 'assistant', parts }, ask('q')] }).messages[0]).toEqual({
      role: 'assistant',
      text: 'first\n\nsecond',
    })
  })

  it('more than 40 messages, of which the newest 40 count', () => {
    const messages = Array.from({ length: 100 }, (_, index) => ask(`${index}`))

    const question = readQuestion('v2', { fp: 'a', messages })

    expect([question.messages.length, question.messages[0]?.text, question.question]).toEqual([40, '60', '99'])
  })

  it('an assistant message at the end, whatever its length, and still ends the conversation with the question', () => {
    const messages = [
      ask('Before.'),
      ask('The question?'),
      { role: 'assistant', parts: [{ type: 'text', text: long }] },
    ]

    const { question, messages: read } = readQuestion('v2', { fp: 'a', messages })

    expect(question).toBe('The question?')
    expect(read.map(({ text }) => text)).toEqual(['Before.', 'The question?'])
  })

  it('a history of any size, of which it reads bounded characters, the newest first', () => {
    const messages = [...Array.from({ length: 30 }, (_, index) => ask(`${index} ${long}`)), ask('The question?')]

    const { messages: read } = readQuestion('v2', { fp: 'a', messages })

    expect(read.map(({ text }) => text.slice(0, 3))).toEqual(['28 ', '29 ', 'The'])
    expect(read.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(48_000)
  })

  it('any number of messages and parts, of which it validates none that does not count', () => {
    const wrong = Array.from({ length: 20_000 }, () => 'no message')
    const parts = [...Array.from({ length: 20_000 }, () => 'no part'), ...Array.from({ length: 200 }, () => step)]

    const messages = [...wrong, ...Array.from({ length: 38 }, () => ask('old')), { role: 'assistant', parts }, ask('q')]

    expect(readQuestion('v2', { fp: 'a', messages })).toMatchObject({ question: 'q', turn: 39 })
  })

  it('the turn of a question among all that were sent', () => {
    const messages = Array.from({ length: 100 }, () => ask('q'))

    expect(readQuestion('v2', { fp: 'a', messages }).turn).toBe(100)
  })

  it('context of any size, of which it reads a bounded part', () => {
    const entry = { type: 'code', value: long, path: long, elementId: long }
    const body = { fp: 'a', messages: [ask('q')], context: Array.from({ length: 1_000 }, () => entry) }

    const { context } = readQuestion('v2', body)

    expect(context).toHaveLength(20)
    expect(context[0]).toMatchObject({ value: 'x'.repeat(8_000), path: 'x'.repeat(1_000), elementId: 'x'.repeat(200) })
  })

  it('a question of 100,000 characters with any white space around it', () => {
    const text = `${' '.repeat(200_000)}${'x'.repeat(100_000)}\n`

    expect(readQuestion('v2', { fp: 'a', messages: [ask(text)] }).question).toHaveLength(100_000)
  })

  it.each([
    [50, 50],
    [51, 50],
    [1e9, 50],
    [1, 1],
    [1.99, 1],
  ])('a retrievalPageSize of %d as %d', (sent, meant) => {
    expect(readQuestion('v2', { fp: 'a', retrievalPageSize: sent, messages: [ask('q')] }).retrievalPageSize).toBe(meant)
  })

  it('a path of 200 characters, however many code units they take', () => {
    expect(readPaths('v2', { fp: 'a', currentPath: '😀'.repeat(200), messages: [ask('q')] })).toBeUndefined()
    expect(readPaths('v2', { fp: 'a', currentPath: '😀'.repeat(201), messages: [ask('q')] })).toEqual(['currentPath'])
  })

  it('any text, and hands on none that a database refuses', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const dirty = `${text}\ud800\0`
        const question = readQuestion('v1', {
          fp: dirty.slice(-256),
          threadId: dirty.slice(-128),
          messages: [ask(`q${dirty}`)],
        })

        const texts = [question.fp, question.threadId ?? '', question.question, question.messages[0]?.text ?? '']
        expect(texts.filter((text) => !text.isWellFormed() || text.includes('\0'))).toEqual([])
      }),
    )
  })
})

describe('refuses', () => {
  it('a question over 100,000 characters, with both numbers', () => {
    const faults = readFaults('v1', { fp: 'a', messages: [ask('x'.repeat(100_001))] })

    expect(faults).toMatchObject({ code: 'question_too_long', details: [{ path: 'messages' }] })
    expect(faults?.message).toMatch(/has 100,001 characters and may have at most 100,000/)
  })

  it('a question that is too long in many parts together', () => {
    const parts = Array.from({ length: 150 }, () => ({ type: 'text', text: 'x'.repeat(1_000) }))

    expect(readFaults('v2', { fp: 'a', messages: [{ role: 'user', parts }] })?.code).toBe('question_too_long')
  })

  it('a body with thousands of faults, naming the first 50', () => {
    const parts = Array.from({ length: 200 }, () => 'no part')
    const messages = Array.from({ length: 40 }, () => ({ role: 'user', parts }))

    expect(readPaths('v2', { fp: 'a', messages })).toHaveLength(50)
  })

  it.each<[string, unknown, string[]]>([
    ['nothing', null, ['']],
    ['a list', [], ['']],
    ['an empty body', {}, ['fp', 'messages']],
    ['an empty fp', { fp: '', messages: [ask('q')] }, ['fp']],
    ['a long fp', { fp: 'x'.repeat(257), messages: [ask('q')] }, ['fp']],
    ['no messages', { fp: 'a', messages: [] }, ['messages']],
    [
      'no text of the user',
      { fp: 'a', messages: [ask(' '), { role: 'assistant', parts: [{ type: 'text', text: 'x' }] }] },
      ['messages'],
    ],
    ['an unknown role', { fp: 'a', messages: [{ ...ask('q'), role: 'robot' }] }, ['messages.0.role']],
    [
      'a text that is none',
      { fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text: 1 }] }] },
      ['messages.0.parts.0.text'],
    ],
    ['a part that is none', { fp: 'a', messages: [{ role: 'user', parts: ['text'] }] }, ['messages.0.parts.0']],
    ['a long threadId', { fp: 'a', threadId: 'x'.repeat(129), messages: [ask('q')] }, ['threadId']],
    ['a numeric threadId', { fp: 'a', threadId: 1, messages: [ask('q')] }, ['threadId']],
    ['a retrievalPageSize below 1', { fp: 'a', retrievalPageSize: 0.99, messages: [ask('q')] }, ['retrievalPageSize']],
    ['a retrievalPageSize in words', { fp: 'a', retrievalPageSize: '5', messages: [ask('q')] }, ['retrievalPageSize']],
    ['a filter that is a list', { fp: 'a', filter: [], messages: [ask('q')] }, ['filter']],
    ['a group that is none', { fp: 'a', filter: { groups: [1] }, messages: [ask('q')] }, ['filter.groups.0']],
    ['an unknown context', { fp: 'a', context: [{ type: 'x', value: 'y' }], messages: [ask('q')] }, ['context.0.type']],
    ['a long version', { fp: 'a', filter: { version: long }, messages: [ask('q')] }, ['filter.version']],
    ['a long language', { fp: 'a', filter: { language: long }, messages: [ask('q')] }, ['filter.language']],
    ['a long tag', { fp: 'a', filter: { tag: long }, messages: [ask('q')] }, ['filter.tag']],
    ['a long group', { fp: 'a', filter: { groups: [long] }, messages: [ask('q')] }, ['filter.groups.0']],
    ['many groups', { fp: 'a', filter: { groups: long.split('') }, messages: [ask('q')] }, ['filter.groups']],
    ['a fault of a late message', { fp: 'a', messages: Array.from({ length: 100 }, () => 1) }, late],
    ['an unknown kind of links', { fp: 'a', links: 'short', messages: [ask('q')] }, ['links']],
    ['a long currentPath', { fp: 'a', currentPath: 'x'.repeat(201), messages: [ask('q')] }, ['currentPath']],
  ])('%s, naming the place [request-faults]', (_, body, paths) => {
    expect({ v1: readPaths('v1', body), v2: readPaths('v2', body) }).toEqual({ v1: paths, v2: paths })
  })

  it('a message of v2 without parts, where v1 reads content', () => {
    const body = { fp: 'a', messages: [{ role: 'user', content: 'q' }] }

    expect(readPaths('v1', body)).toBeUndefined()
    expect(readPaths('v2', body)).toEqual(['messages.0.parts'])
  })

  it('with a sentence that can be shown [request-faults]', () => {
    expect(readFaults('v2', { fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text' }] }] })).toEqual({
      code: 'invalid_request',
      message: 'The request is not valid at messages.0.parts.0.text: The text of a text part must be a string.',
      details: [{ path: 'messages.0.parts.0.text', message: 'The text of a text part must be a string.' }],
    })
  })
})

const isSdkClient = (body: object) => readQuestion('v2', { fp: 'a', ...body }).isSdkClient

describe('tells an AI SDK client', () => {
  const id = 'aB3dE6gH9jK2mN5p'
  const parts = [{ type: 'text', text: 'q' }]

  it.each<[string, object, boolean]>([
    ['by what it declares', { client: 'ai-sdk', messages: [ask('q')] }, true],
    ['and no other by what it declares', { client: 'my-app', messages: [ask('q')] }, false],
    ['by its trigger', { trigger: 'submit-message', messages: [ask('q')] }, true],
    ['by the messages that it built', { messages: [{ parts, id, role: 'user' }] }, true],
    ['by the messages that it built, with metadata', { messages: [{ parts, id, role: 'user', metadata: 1 }] }, true],
    [
      'by an earlier answer',
      { messages: [ask('p'), { role: 'assistant', parts: [{ type: 'step-start' }] }, ask('q')] },
      true,
    ],
    ['and no other by an earlier answer', { messages: [ask('p'), { role: 'assistant', parts }, ask('q')] }, false],
    ['and no other by an unknown trigger', { trigger: 'resume-stream', messages: [ask('q')] }, false],
    ['and no other by keys in another order', { messages: [{ id, role: 'user', parts }] }, false],
    ['and no other by an id of its own', { messages: [{ parts, id: '1', role: 'user' }] }, false],
    ['and no other by a plain body', { messages: [ask('q')] }, false],
  ])('%s [v2-sdk-detection]', (_, body, expected) => {
    expect(isSdkClient(body)).toBe(expected)
  })
})
