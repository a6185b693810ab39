import fc from 'fast-check'
import type { AnswerEvent } from '../../src/contract/answer-event.ts'
import { type Citation, sentenceVerdicts } from '../../src/contract/citations.ts'
import type { JsonValue } from '../../src/contract/json.ts'

/** Any text at all: every code unit, half surrogate pairs, line ends of every kind, the formats' own marks. */
export const anyText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom('', '\n\n', 'data: [DONE]\n\n', '\r', '\u2028\u2029\u0085', '\ufeff', '0:"x"\n', '\ud83d', '\ude00'),
)
// What fast-check calls a JSON value is what the type says, up to -0, which JSON does not have.
const anyJson = fc
  .jsonValue({ depthSize: 'small', noUnicodeString: false })
  // Readers leave this key out, so that no answer can reach the prototype of an object.
  .filter((value) => !JSON.stringify(value).includes('"__proto__"'))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)
const anyRecord = fc.dictionary(
  anyText.filter((key) => key !== '__proto__'),
  anyJson,
  { maxKeys: 3 },
)
const finishReason = fc.constantFrom('stop', 'length', 'content-filter', 'tool-calls', 'error', 'other')
const usage = fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() })
const type = <Type extends AnswerEvent['type']>(name: Type) => fc.constant(name)

const anyTextOrNull = fc.option(anyText)
const anyLines = fc.option(fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 1 })))
const anyCitation: fc.Arbitrary<Citation> = fc.record({
  number: anyText,
  sourceIds: fc.array(anyText, { maxLength: 3 }),
  url: anyText,
  title: anyText,
  description: anyText,
  quote: anyText,
  answer: fc.record({ textId: anyText, start: fc.nat(), end: fc.nat() }),
  source: fc.record({
    path: anyText,
    anchor: anyTextOrNull,
    headings: fc.array(anyText, { maxLength: 3 }),
    revision: anyText,
    commit: anyTextOrNull,
    file: anyTextOrNull,
    lines: anyLines,
    sha256: anyTextOrNull,
    version: anyTextOrNull,
    language: anyTextOrNull,
  }),
  verdict: fc.constantFrom(...sentenceVerdicts),
})

const anyInnerEvent: fc.Arbitrary<AnswerEvent> = fc.oneof(
  fc.record({ type: type('step-started') }),
  fc.record({ type: type('tool-called'), callId: anyText, toolName: anyText, input: anyRecord }),
  fc.record({ type: type('tool-returned'), callId: anyText, output: anyJson }),
  fc.record({ type: type('tool-failed'), callId: anyText, message: anyText }),
  fc.record({ type: type('source-cited'), sourceId: anyText, url: anyText, title: anyText }),
  fc.record({ type: type('sentence-cited'), id: anyText, citation: anyCitation }),
  fc.record({
    type: fc.constantFrom('reasoning-started', 'reasoning-ended', 'text-started', 'text-ended'),
    id: anyText,
  }),
  fc.record({ type: fc.constantFrom('reasoning-delta', 'text-delta'), id: anyText, text: anyText }),
  fc.record({ type: type('step-finished'), finishReason, usage }),
  fc.record({ type: type('step-restarted') }),
  fc.record({
    type: type('pages-suggested'),
    items: fc.array(fc.record({ title: anyText, path: anyText, url: anyText }), { maxLength: 3 }),
  }),
)
const anyLastEvent: fc.Arbitrary<AnswerEvent> = fc.oneof(
  fc.record({ type: type('answer-finished'), threadId: anyText, finishReason, usage, metadata: anyRecord }),
  fc.record({ type: type('answer-failed'), message: anyText }),
)

/** Events with one start and one end; in between in any order, because encoders keep no grammar. */
export const anyAnswer: fc.Arbitrary<AnswerEvent[]> = fc
  .tuple(
    fc.record({ type: type('answer-started'), messageId: anyText, threadId: anyText }),
    fc.array(anyInnerEvent, { maxLength: 8 }),
    anyLastEvent,
  )
  .map(([first, inner, last]) => [first, ...inner, last])

/** Cuts the UTF-8 bytes of a text at any places, characters cut in the middle included, and decodes them as they come. */
export function* splitBytes(text: string, cuts: readonly number[]): Generator<string> {
  const bytes = new TextEncoder().encode(text)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  for (const [index, place] of [...places, bytes.length].entries()) {
    yield decoder.decode(bytes.subarray(places[index - 1] ?? 0, place), { stream: true })
  }
  yield decoder.decode()
}

export const anyCuts = fc.array(fc.nat({ max: 100_000 }), { maxLength: 30 })
