import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ThinkingSplitter } from './split-thinking.ts'

/** @returns The thinking and the text of a piece that arrives in these deltas. */
function split(deltas: readonly string[]): { thinking: string; text: string } {
  const splitter = new ThinkingSplitter()
  const parts = deltas.flatMap((delta) => splitter.split({ type: 'text-delta', id: '1', delta }))
  const all = [...parts, ...splitter.end('1')]
  const join = (type: string) => all.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('')
  return { thinking: join('reasoning-delta'), text: join('text-delta') }
}

it.each([
  ['at the start', '<think>Let me see.</think>\n\nUse a key.', 'Let me see.', 'Use a key.'],
  ['under another name', '\n<reasoning>a</reasoning>b', 'a', 'b'],
  ['in brackets', '[THINK]a[/THINK]b', 'a', 'b'],
  ['twice', '<think>a</think>\n<think>b</think>c', 'ab', 'c'],
  ['in capitals', '<Think>A</THINK>b', 'A', 'b'],
  ['in marks of its own', '◁think▷a◁/think▷b', 'a', 'b'],
  ['between bars', '<|begin_of_thought|>\na\n<|end_of_thought|>\n\nb', '\na\n', 'b'],
  ['in channels', '<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>b', 'a', 'b'],
  ['in no channel', '<|channel|>final<|message|>b', '', 'b'],
  ['that was begun for the model and is empty', '</think>\n\nb', '', 'b'],
  ['that is empty', '<think>\n\n</think>a', '\n\n', 'a'],
  ['that breaks off', '<think>a</thi', 'a</thi', ''],
  ['that is only a sign', 'a < b', '', 'a < b'],
  ['that nearly begins', '<thin', '', '<thin'],
  ['that only ends, further down', 'Okay, a key.\n</think>\n\nUse a key.', '', 'Okay, a key.\n\n\nUse a key.'],
  ['that only ends, in code', 'So:\n```\n</think>\n```\nb', '', 'So:\n```\n</think>\n```\nb'],
  ['that only ends, behind code', '```\na\n```\n</think>b', '', '```\na\n```\nb'],
  ['that breaks off in its end', 'a\n</thi', '', 'a\n</thi'],
  ['that ends twice', '<think>a</think>b</think>c', 'a', 'bc'],
  ['that ends twice, further down', '<think>a</think>\n\nb\n</think>\n\nc', 'a', 'b\n\n\nc'],
  ['that only ends, glued to the text', 'Okay, a key.</think>Use a key.', '', 'Okay, a key.Use a key.'],
  ['within each other', '<think>a<think>b</think>c</think>d', 'abc', 'd'],
  ['in tags with attributes', '<think duration="3 s" mode=\'x\'>a</think >b', 'a', 'b'],
  ['in a tag that ends itself', '<think/>\n\na', '', 'a'],
  ['behind a sentence', 'Sure. <thinking>hm</thinking> Use a key.', 'hm', 'Sure.  Use a key.'],
  ['between paragraphs', 'Sure.\n\n<think>\nhm\n</think>\n\nUse a key.', '\nhm\n', 'Sure.\n\n\n\nUse a key.'],
  ['with a name before the colon', '<thinking>a</thinking>b', 'a', 'b'],
  ['between long bars', '<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>', 'a', 'b'],
  ['in one channel that leaves one of its bars', '<|channel>thought\na<channel|>b', 'a', 'b'],
  [
    'in channels of whole messages',
    '<|start|>assistant<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|>' +
      '<|start|>assistant<|channel|>final<|message|>c<|return|>',
    'ab',
    'c',
  ],
  [
    'that mentions its tags in code',
    '<think>Is it `</think>`? Or `<think>`?</think>b',
    'Is it `</think>`? Or `<think>`?',
    'b',
  ],
  [
    'that mentions a tag and never ends it',
    '<think>a <think> b</think>\n\nUse a key.',
    'a  b\n\nUse a key.',
    'Use a key.',
  ],
  ['of which the answer only mentions a tag', 'Use <think> here.', ' here.', 'Use <think> here.'],
  ['of which the answer mentions both tags', 'Between <think> and </think>.', ' and ', 'Between <think> and </think>.'],
  ['of which the answer mentions the end', 'It ends at </think>.', '', 'It ends at </think>.'],
])('separates thinking %s', (_, written, thinking, text) => {
  expect(split([written])).toEqual({ thinking, text })
  expect(split(written.split(''))).toEqual({ thinking, text })
})

it.each([
  'Write `<think>` first, then `</think>`.',
  'Write `` a`<think>b</think> `` so.',
  'So:\n```xml\n<think>a</think>\n```\nb',
  'So:\n~~~\n```\n<think>a</think>\n~~~\nb',
  '- Item:\n\n  ```\n  <think>a</think>\n  ```\n- ```\n  </think>\n\n  [THINK]a[/THINK]\n  ```\n',
  '> ```\n> <think>a</think>\n> ```',
  'So:\n\n    <think>a</think>\n    b <think>c</think>\n\nd',
  'Escaped: \\<think>a\\</think>.',
  '[Thinking](/thinking) and [reasoning][1].\n\n[reasoning]: /a',
  '<thinker>a</thinker> <b>c</b> a < b > c',
  '``` <think>a</think> ```\nb',
])('leaves %j in the text', (written) => {
  expect(split([written])).toEqual({ thinking: '', text: written })
  expect(split(written.split(''))).toEqual({ thinking: '', text: written })
})

it('knows code that has ended', () => {
  expect(split(['``` a ```\n<think>b</think>c `d` <think>e</think>\n```\nf\n```\n<think>g</think>'])).toEqual({
    thinking: 'beg',
    text: '``` a ```\nc `d` \n```\nf\n```\n',
  })
})

it.each(['<think', '<think>', '`', '\n', ' ', '[', '\\', '<|channel|>a', '</think>', '- ', '<think a="'])(
  'reads %j over and over in linear time',
  (piece) => {
    const splitter = new ThinkingSplitter()
    const started = process.cpuUsage()

    for (let count = 0; count < 100_000; count++) splitter.split({ type: 'text-delta', id: '1', delta: piece })
    splitter.end()

    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000)
  },
)

it('separates each piece of text anew', () => {
  const splitter = new ThinkingSplitter()

  splitter.split({ type: 'text-delta', id: '1', delta: 'Hello' })

  expect(splitter.split({ type: 'text-delta', id: '2', delta: '<think>a' })).toEqual([
    { type: 'reasoning-delta', id: '2', delta: 'a' },
  ])
})

it('gives the same however the text is cut', () => {
  const marks =
    '<think> </think> <think_a="b"> <think/> [THINK] [/THINK] think> <|channel|> final <|message|> <|start|>assistant'
  const others = '<|end|> <|channel>thought <channel|> ◁think▷ a < / _ \n ` ``` ~~~ \\ ( ____ -_ >_ 1._ _and_'
  const pieces = `${marks} ${others}`.split(' ').map((piece) => piece.replaceAll('_', ' '))
  const texts = fc.array(fc.constantFrom(...pieces, '<|END_THINKING|>'), { maxLength: 14 })
  fc.assert(
    fc.property(texts, fc.array(fc.nat(60), { maxLength: 8 }), (written, at) => {
      const text = written.join('')
      const bounds = [0, ...at.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]

      expect(split(bounds.slice(1).map((to, index) => text.slice(bounds[index], to)))).toEqual(split([text]))
    }),
    { numRuns: 3_000 },
  )
})
