import fc from 'fast-check'
import { expect, it } from 'vitest'
import { locateBlocks } from './locate-blocks.ts'
import { holdsQuote, normalizeWords } from './normalize-words.ts'

const locate = (blocks: string[], text: string, bodyLine = 0) =>
  locateBlocks(blocks, { lines: text.split('\n'), bodyLine })

it('finds blocks whatever their marks, tags, addresses and entities', () => {
  const text = [
    '<Card title="x"',
    '  href="/y">',
    '**Bold** text&nbsp;with a [link](../a.md "Title"),',
    'and [another][ref].',
    '</Card>',
    '1. First of the <Badge />',
    '1. sec&shy;ond and third',
    '## Heading { #own }',
    '<Step title="Choose a name" icon="pen">',
    'Any.',
    '</Step>',
    '<Tip>',
    '  Take it easy.',
    '</Tip>',
  ].join('\n')

  const found = locate(
    [
      '> **Bold** text with a [link](/a),\n> and [another](/b).',
      '1. First of the\n2. second and third',
      '## Heading',
      '**1. Choose a name**',
      'Any.',
      '**Tip:** Take it easy.',
    ],
    text,
  )

  expect(found).toEqual([
    [3, 4],
    [6, 7],
    [8, 8],
    [9, 9],
    [10, 10],
    [13, 13],
  ])
})

it('includes the marks of fenced code, and nothing else around it', () => {
  const text = 'Run:\n\n```\nnpm install\n```\n\n---\n\n```js title="a.js"\n<a/>\ncall()\n```\n---\n'

  const found = locate(['```\nnpm install\n```', '```js a.js\n<a/>\ncall()\n```'], text)

  expect(found).toEqual([
    [3, 5],
    [9, 12],
  ])
})

it('places repeated text in the order of the page', () => {
  const text = '## A\n\nSame text twice here.\n\n## B\n\nSame text twice here.\n\n## Example\n\nOne.\n\n## Example\n'
  const blocks = ['## A', '## B', 'Same text twice here.', '## Example', '## Example']

  expect(locate(blocks, text)).toEqual([
    [1, 1],
    [5, 5],
    [7, 7],
    [9, 9],
    [13, 13],
  ])
})

it('does not let text that was made up lead it past the text that follows', () => {
  const text = 'First of all, read this.\n\nThen read that.\n\nOnly here it ends.\n'
  const blocks = ['Only here it ends.', 'First of all, read this.', 'Then read that.']

  expect(locate(blocks, text)).toEqual([null, [1, 1], [3, 3]])
})

it('finds nothing for text from elsewhere, for a word within a line, and in the frontmatter', () => {
  const text = '---\ntitle: Set up\n---\n\nThe response to a request, because of it.\n'

  expect(locate(['## Response', '## Use', '## Set up', 'Something else.', '---', ''], text, 3)).toEqual(
    Array.from({ length: 6 }, () => null),
  )
})

it('finds ranges in order that hold the words of their blocks', () => {
  const line = fc
    .array(fc.constantFrom('a', 'b', 'c d', '**e**', '```', '- f', '', '<g>'))
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.array(line, { maxLength: 3 })), (lines, parts) => {
      const blocks = parts.map((block) => block.join('\n'))

      const found = locateBlocks(blocks, { lines, bodyLine: 0 })

      found.forEach((range, index) => {
        if (range === null) return
        const text = lines.slice(range[0] - 1, range[1]).join('\n')
        const words = normalizeWords(blocks[index] ?? '')
        expect(words === '' || holdsQuote(text, words)).toBe(true)
      })
    }),
  )
})

it.each([
  ['equal lines', Array.from({ length: 20_000 }, () => 'equal words in all lines'), 'equal words in all places'],
  ['open tags', Array.from({ length: 50_000 }, () => '<a ](](<!--{/*'), '<a <a <a'],
  ['long lines', ['](a'.repeat(300_000), '{#a'.repeat(300_000), '&a'.repeat(300_000)], 'none of these words'],
])('takes linear time for %s', (_, lines, block) => {
  const startedAt = process.cpuUsage()

  locateBlocks([...lines, ...Array.from({ length: 5_000 }, () => block)], { lines, bodyLine: 0 })

  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(3_000)
})
