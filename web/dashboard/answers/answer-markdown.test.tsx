import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Citation } from '../../../src/contract/citations.ts'
import { makeCitation } from '../../citations/testing/make-citation.ts'
import { AnswerMarkdown } from './answer-markdown.tsx'

/** Shows an answer whose sentences end at `‹n›`, and reads where the numbers stand. */
function showNumbers(marked: string): string[] {
  const citations: Citation[] = []
  let text = ''
  for (const [, before = '', number] of marked.matchAll(/([^‹]*)(?:‹(\d+)›)?/g)) {
    text += before
    if (number !== undefined) citations.push(makeCitation(number, text.length))
  }
  const { container } = render(<AnswerMarkdown text={text} sources={[]} citations={citations} />)
  expect(container.querySelectorAll('a a, code a, pre a')).toHaveLength(0)
  for (const link of container.querySelectorAll('[aria-label^="Source"]')) link.textContent = `‹${link.textContent}›`
  const blocks = [...container.querySelectorAll('p, li, td, pre')].filter((block) => !block.querySelector('p, li'))
  return blocks.map((block) => (block.textContent ?? '').replaceAll('\u2060', '').trim())
}

it.each([
  ['in a paragraph', 'One.‹1› Two.‹2›‹3› Three.', ['One.‹1› Two.‹2›‹3› Three.']],
  [
    'after emphasis and escapes',
    '**Never *stop*.**‹1› A \\*b\\* &amp; &lt;c&gt;.‹2› Rest.',
    ['Never stop.‹1› A *b* & <c>.‹2› Rest.'],
  ],
  ['within emphasis', '**One.‹1› Two.‹2›** Three.', ['One.‹1› Two.‹2› Three.']],
  ['after links and code', 'See [the guide](/a).‹1› Run `a. b`‹2›', ['See the guide.‹1› Run a. b‹2›']],
  ['after a link that ends the sentence', 'See [the guide.‹1›](/a) More.', ['See the guide.‹1› More.']],
  ['in lists', '- One.‹1›\n- Two\n  goes on.‹2›\n\n  Three.‹3›\n', ['One.‹1›', 'Two\ngoes on.‹2›', 'Three.‹3›']],
  [
    'in tables',
    '| a | b |\n| - | - |\n| One.‹1› | Two.‹2› |\n| Three. | x |‹3›\n',
    ['One.‹1›', 'Two.‹2›', 'Three.', 'x‹3›'],
  ],
  ['in quotations over lines', '> One\n> goes on.‹1› Two.\n', ['One\ngoes on.‹1› Two.']],
  [
    'after code blocks, not inside',
    'Run:\n\n```sh\na.‹1›\nb\n```‹2›\n\nThen.‹3›',
    ['Run:', 'a.\nb', '‹1›', '‹2›', 'Then.‹3›'],
  ],
  [
    'after addresses that are no links of their own',
    'Mail (me@example.com or x:you@example.com. Now.‹1› Then.',
    ['Mail (me@example.com or x:you@example.com. Now.‹1› Then.'],
  ],
  ['after wide characters', '🎟️ Zwölf.‹1› 第一。‹2›第二。', ['🎟️ Zwölf.‹1› 第一。‹2›第二。']],
  [
    'beside footnotes',
    'One.‹1› a[^1]\n\n[^1]: Note.‹2›\n\nLast.‹3›',
    ['One.‹1› a1', 'Last.‹3›', 'Footnotes', 'Note.‹2› ↩'],
  ],
  ['instead of markers', 'One. [1]‹1› Two.‹2› [2] [3] Three.', ['One.‹1› Two.‹2› [3] Three.']],
])('puts numbers behind their sentences %s', (_, marked, blocks) => {
  expect(showNumbers(marked)).toEqual(blocks)
})
