import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLostWords } from '../markdown/lost-words.ts'
import { readSourceText } from './source-text.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const wordsOf = (body: string, syntax: 'markdown' | 'mdx' = 'mdx') =>
  readSourceText(body, syntax).match(/[\p{L}\p{N}]+/gu) ?? []

it('takes the text of a page, its code and the text in properties', () => {
  const body = [
    '## Install `cli` [here](/guides/x "y")',
    '<Card title="Two words" className="flex p-4">Inside</Card>',
    "<Table rows={[{ name: 'id', text: 'Made of words' }]} />",
    '```ts title="a.ts"\nconst answer = 42\n```',
  ].join('\n\n')

  expect(wordsOf(body).join(' ')).toBe('Install cli here Two words Inside Made of words const answer 42')
})

it.each([
  ['module code', 'import a from "b"\n\nexport const x = {\n\n  text: "some words"\n}\n\nKept', 'mdx'],
  ['comments', '{/* not this */}\nKept\n<!-- nor\nthis -->', 'mdx'],
  ['scripts and styles', '<style>p { color: red }</style>\n<script setup>const a = 1</script>\nKept', 'markdown'],
  ['what only people see', '<Visibility for="humans">Click here</Visibility>\n\nKept', 'mdx'],
  ['includes and variables', '<<< @/a.js\n--8<-- "b.md"\n{! c.md !}\n{{ version }}\nKept', 'markdown'],
  ['marks of containers', '::: tip\nKept\n:::\n\n!!! note\n', 'markdown'],
  ['options of generated documentation', '::: package.module\n    options:\n      members: all\n\nKept', 'markdown'],
  ['parts of code that are not shown', '```ts twoslash\nconst hidden = 1\n// ---cut---\nconst a = 2\n```\nKept', 'mdx'],
  ['computed text', '<Chart data={items.map((item) => call("some text"))} />\nKept', 'mdx'],
  ['definitions of links', '[a]: https://example.com/some-words\n\nKept', 'markdown'],
] as const)('leaves out %s', (_what, body, syntax) => {
  expect(wordsOf(body, syntax)).toEqual(['Kept'])
})

it('accepts any text', () => {
  const pieces = fc.constantFrom('<A b="', "'", '`', '```\n', '{', '}', '>', '</A>', '](', '{/*', '<!--', 'word ', '\n')
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom('mdx' as const, 'markdown' as const),
      (all, syntax) => {
        expect(readSourceText(all.join(''), syntax)).toBeTypeOf('string')
      },
    ),
  )
})

it.each(['<a ', '<a b="', '{', '`', '``` \n', '](', '{"', '<!--', '[a](', '::: a.b\n    x\n'])(
  'takes linear time for many %j',
  (piece) => {
    const start = threadCpuMs()

    readSourceText(piece.repeat(1_000_000 / piece.length), 'mdx')

    expect(threadCpuMs() - start).toBeLessThan(3_000)
  },
)

it('counts words, because a lost table may consist of words that its page uses elsewhere', () => {
  const found = findLostWords('one two one two', 'two one')

  expect(found).toEqual({ total: 4, lost: 2, sample: ['one', 'two'] })
})

it('does not depend on where markup is in scripts without spaces', () => {
  expect(findLostWords('配置文件', '配置**文件**').lost).toBe(0)
})
