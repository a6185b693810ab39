import type { AnswerEvent } from '../../src/contract/answer-event.ts'
import type { Citation } from '../../src/contract/citations.ts'
import type { JsonValue } from '../../src/contract/json.ts'

export const searchOutput: JsonValue = [
  { path: '/quickstart', content: 'Run it.', metadata: { title: 'Quickstart', href: '/quickstart' } },
]

/** Holds what breaks careless streams: line separators, an emoji cut in half between two pieces, quotes, fences, NUL. */
const answerPieces = [
  'Hello ',
  'line\u2028separator\u2029\u0085, half \ud83d',
  '\ude00 emoji, "quotes" \\ ',
  '\n\n```sh\nrun\r\n```\n data: [DONE]\n\n',
  '\u0000 0:"x"\n漢字',
]
export const answerText = answerPieces.join('')
export const reasoningText = 'It asks for the start.'
export const citedSource = {
  sourceId: '/quickstart#run',
  url: 'https://docs.example/quickstart#run:~:text=Run%20it',
  title: 'Quickstart: Run',
}
/** Holds null in every place where a citation can. */
export const citation: Citation = {
  number: '1',
  sourceIds: [citedSource.sourceId],
  url: citedSource.url,
  title: citedSource.title,
  description: 'Run',
  quote: 'Run it.',
  answer: { textId: 'text_1', start: 0, end: 6 },
  source: {
    path: '/quickstart',
    anchor: null,
    headings: ['Run'],
    revision: 'r1',
    commit: null,
    file: null,
    lines: null,
    sha256: null,
    version: null,
    language: null,
  },
  verdict: 'no-facts',
}
const passage = { number: 1, path: '/quickstart', anchor: 'run', headings: ['Run'], revision: 'r1' }

const usage = { inputTokens: 3, outputTokens: 1 }

/** An answer with everything that an answer can hold but a failure. */
export function* fullAnswer(threadId: string, messageId = 'msg_1'): Generator<AnswerEvent> {
  yield { type: 'answer-started', messageId, threadId }
  yield { type: 'step-started' }
  yield { type: 'tool-called', callId: 'call_1', toolName: 'search', input: { query: 'start' } }
  yield { type: 'tool-returned', callId: 'call_1', output: searchOutput }
  yield { type: 'tool-called', callId: 'call_2', toolName: 'search', input: { query: 'broken' } }
  yield { type: 'tool-failed', callId: 'call_2', message: 'The search took too long.' }
  yield { type: 'step-finished', finishReason: 'tool-calls', usage }
  yield { type: 'step-started' }
  yield { type: 'reasoning-started', id: 'reasoning_1' }
  yield { type: 'reasoning-delta', id: 'reasoning_1', text: reasoningText }
  yield { type: 'reasoning-ended', id: 'reasoning_1' }
  yield { type: 'source-cited', ...citedSource, passage }
  yield { type: 'text-started', id: 'text_1' }
  for (const [index, text] of answerPieces.entries()) {
    yield { type: 'text-delta', id: 'text_1', text }
    if (index === 0) yield { type: 'sentence-cited', id: 'c1', citation }
  }
  yield { type: 'text-ended', id: 'text_1' }
  yield { type: 'step-finished', finishReason: 'stop', usage: { inputTokens: 5, outputTokens: 2 } }
  yield {
    type: 'answer-finished',
    threadId,
    finishReason: 'stop',
    usage: { inputTokens: 8, outputTokens: 3 },
    metadata: { verdict: 'answered', commit: null },
  }
}

/** The first events of an answer whose text is `partial ` so far. */
export function* openAnswer(threadId: string): Generator<AnswerEvent> {
  yield { type: 'answer-started', messageId: 'msg_1', threadId }
  yield { type: 'step-started' }
  yield { type: 'text-started', id: 'text_1' }
  yield { type: 'text-delta', id: 'text_1', text: 'partial ' }
}
