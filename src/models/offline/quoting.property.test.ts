import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { expect, it } from 'vitest'
import { isAnswer } from '../../contract/verdicts.ts'
import { QuotingAnswerer } from './answer-by-quoting.ts'
import { cleanQuote } from './clean-quote.ts'
import { readQuestion } from './read-question.ts'
import { readPassages } from './retrieved-passage.ts'
import { splitPassage } from './split-passage.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const words = fc.constantFrom(
  'key',
  'webhook',
  'retry',
  'the',
  'is',
  '30',
  'maxTokens',
  'Frankfurt',
  '有効期限',
  'läuft',
  'e.g.',
  'a_b',
)
const snippets = fc.constantFrom(
  '[site](https://evil.example/x "t")',
  '[page](/guide#a)',
  '[host](//evil.example)',
  '![shot](https://evil.example/a.png)',
  '[![shot](/a.png)](https://evil.example)',
  '[ref][1]',
  '`code ](https://evil.example)`',
  '`',
  '``',
  '[',
  '](https://evil.example)',
  '<https://evil.example>',
  'https://evil.example/a?b=c',
  'www.evil.example',
  '<img src="https://evil.example">',
  '<a href="https://evil.example">x</a>',
  '**bold**',
  '**',
  '\\[',
  '!',
  '.',
  ':',
  '\u{e000}0\u{e001}',
)
const line = fc.array(fc.oneof(words, words, snippets), { maxLength: 10 }).map((parts) => parts.join(' '))
const prefix = fc.constantFrom(
  '',
  '',
  '# ',
  '## ',
  '- ',
  '1. ',
  '2. ',
  '  - ',
  '    ',
  '> ',
  '| ',
  '```js',
  '```',
  '~~~',
  '---',
  '|---|',
  '[1]: ',
)
const markdown = fc
  .array(fc.tuple(prefix, line, fc.constantFrom('\n', '\n\n')), { maxLength: 25 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''))
const anyMarkdown = fc.oneof(markdown, fc.string({ unit: 'binary', maxLength: 400 }))
const anyQuestion = fc.oneof(
  line,
  fc.string({ unit: 'binary', maxLength: 200 }),
  words.map((word) => `What is ${word}?`),
)

const rawPassage = fc.record({
  path: fc.constantFrom('/a', '/b/c', '/', '/with space', '/x)(y', '//evil.example'),
  content: anyMarkdown,
  metadata: fc.record({
    title: fc.oneof(line, fc.string({ maxLength: 40 })),
    href: fc.constantFrom(
      'http://docs.example.com/a#one',
      'http://docs.example.com/a#x)[y](//evil.example',
      '/a',
      'javascript:alert(1)',
    ),
    headings: fc.array(line, { maxLength: 3 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
})

interface Case {
  question: string
  raw: { path: string; content: string }[]
}

function answer({ question, raw }: Case) {
  const passages = readPassages({ type: 'json', value: JSON.parse(JSON.stringify(raw)) })
  const { text, verdict } = new QuotingAnswerer().answer({
    question: readQuestion(question),
    passages,
    instructions: '',
  })
  return { text, verdict, passages }
}

const cases = fc.record({ question: anyQuestion, raw: fc.array(rawPassage, { maxLength: 6 }) })

/** The answer as a front end renders it. */
function readLinks(text: string): { targets: string[]; hasForeignMarkup: boolean } {
  const tree = unified().use(remarkParse).use(remarkGfm).parse(text)
  const targets: string[] = []
  let hasForeignMarkup = false
  visit(tree, (node) => {
    if (node.type === 'link' || node.type === 'definition') targets.push(node.url)
    if (node.type === 'image' || node.type === 'imageReference') hasForeignMarkup = true
    if (node.type === 'html' && /<\/?(?:a|img|script|iframe)\b/i.test(node.value)) hasForeignMarkup = true
  })
  return { targets, hasForeignMarkup }
}

it('answers any question over any passages, without failing and never with nothing', () => {
  fc.assert(
    fc.property(cases, (input) => {
      expect(answer(input).text.trim()).not.toBe('')
    }),
    { numRuns: 400 },
  )
})

it('links only to the passages and to their links within the site', () => {
  fc.assert(
    fc.property(cases, (input) => {
      const { text, passages } = answer(input)
      const own = new Set(passages.map(({ link }) => link))

      const { targets, hasForeignMarkup } = readLinks(text)

      expect(hasForeignMarkup).toBe(false)
      for (const target of targets) {
        const isQuoted = /^\/(?![/\\])/.test(target) && passages.some(({ content }) => content.includes(target))
        expect({ target, isOurs: own.has(target) || isQuoted }).toEqual({ target, isOurs: true })
      }
    }),
    { numRuns: 500 },
  )
})

/** Letters and digits only, so that omissions and line joins make no difference. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}

it('says nothing that is not in a passage, except links', () => {
  const plain = fc.record({
    question: anyQuestion,
    raw: fc.array(
      fc.record({
        path: fc.constant('/a'),
        content: fc
          .array(fc.tuple(fc.constantFrom('', '- ', '1. ', '## '), fc.array(words, { minLength: 1, maxLength: 8 })), {
            minLength: 1,
            maxLength: 12,
          })
          .map((lines) => lines.map(([start, line]) => `${start}${line.join(' ')}.`).join('\n\n')),
        metadata: fc.record({
          title: fc.constant('T'),
          href: fc.constant(''),
          headings: fc.constant([]),
          score: fc.constant(0.8),
        }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  fc.assert(
    fc.property(plain, (input) => {
      const { text, verdict } = answer(input)
      if (!isAnswer(verdict)) return
      for (const quoted of text
        .replace(/^The documentation may not .* come closest say:/, '')
        .replaceAll('[T](/a)', '')
        .split('\n')) {
        for (const sentence of quoted.split(/(?<=\.)\s/)) {
          expect(input.raw.some(({ content }) => bare(content).includes(bare(sentence)))).toBe(true)
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('loses no text when it splits a passage, except markup and headings', () => {
  const prose = fc.array(
    fc.tuple(fc.constantFrom('', '- ', '3. ', '> '), fc.array(words, { minLength: 1, maxLength: 9 })),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(prose, (lines) => {
      const text = lines.map(([start, line]) => start + line.join(' ')).join('\n\n')
      expect(
        bare(
          splitPassage(text)
            .map((part) => part.text)
            .join(' '),
        ),
      ).toBe(bare(text))
    }),
  )
})

it('reads hostile passages in linear time', () => {
  const hostile = ['[', '![', '`', '``', '(', '**', '<a ', '](', '- ', '|', '> ', ': ', 'is ', '. (', '[x](', '\\[']
  for (const piece of hostile) {
    const startedAt = threadCpuMs()
    const raw = [
      {
        path: '/a',
        content: `key ${piece.repeat(20_000)}`,
        metadata: { title: 'T', href: '', headings: [], score: 1 },
      },
    ]
    answer({ question: 'What is a key?', raw })
    cleanQuote(piece.repeat(2_000))
    expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
  }
})
