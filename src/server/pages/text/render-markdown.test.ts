import { expect, it } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

const base = '/sites/docs'

it.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script over lines', 'a\n\n<script>\nalert(1)\n</script>\n'],
  ['an event handler', '<img src=x onerror="alert(1)">'],
  ['an event handler in a line', 'a <b onmouseover=alert(1)>b</b>'],
  ['a drawing', '<svg><script>alert(1)</script><animate onbegin="alert(1)"/></svg>'],
  ['a frame', '<iframe src="javascript:alert(1)"></iframe>'],
  ['a link that runs', '[a](javascript:alert(1))'],
  [
    'a link that runs, in disguise',
    '[a](JaVaScRiPt&#58;alert(1)) [b](<java\tscript:alert(1)>) [c](&#x6A;avascript:alert(1))',
  ],
  ['an automatic link that runs', '<javascript:alert(1)>'],
  ['a document in a link', '[a](data:text/html;base64,PHNjcmlwdD4=)'],
  ['a picture that runs', '![a](javascript:alert(1)) ![b](data:image/svg+xml;base64,PHN2Zz4=)'],
  ['a link out of a reference', '[a][b]\n\n[b]: vbscript:x "title"'],
  ['an attribute out of a title', '[a](/b "\\" onmouseover=\\"alert(1)")'],
  ['a style', '<style>@import url(//evil)</style><p style="background:url(//evil)">x</p>'],
  ['a form', '<form action=//evil><input name=q></form>'],
  ['a base', '<base href=//evil><meta http-equiv=refresh content="0;url=//evil">'],
])('leaves nothing active of %s', (_, markdown) => {
  const { html } = renderMarkdown(markdown, base)

  const tags = html.match(/<[^>]*>/g) ?? []
  for (const tag of tags) {
    expect(tag).toMatch(/^<\/?(?:p|a|img|b)[\s>/]/)
    expect(tag.replace(/"[^"]*"/g, '')).not.toMatch(/\son\w+\s*=|style/i)
    expect(/(?:href|src)="([^"]*)"/i.exec(tag)?.[1] ?? '/').toMatch(/^(?:https?:|mailto:|\/|#)/)
  }
})

it('prefixes links within the site with its path, and leaves others unchanged', () => {
  const { html } = renderMarkdown('[a](/b#c) [d](https://e.example/f) [g](//h.example) [i](#j)', base)

  expect(html).toContain('<a href="/sites/docs/b#c">')
  expect(html).toContain('<a href="https://e.example/f">')
  expect(html).toContain('<a href="//h.example">')
  expect(html).toContain('<a href="#j">')
})

it('gives headings the ids that answers link to, and lists them', () => {
  const { html, headings } = renderMarkdown(
    '## Error E-42\n\n## Error E-42\n\n> ### What’s *new* {#what’s-new}\n\n## \\#1',
    base,
  )

  expect(html).toContain('<h2 id="error-e-42">Error E-42<a ')
  expect(html).toContain('<h2 id="error-e-42-1">')
  expect(html).toContain('<h3 id="what’s-new">What’s <em>new</em><a ')
  expect(html).toContain('<h2 id="1">#1<a ')
  expect(headings.map(({ id, text, depth }) => [id, text, depth])).toEqual([
    ['error-e-42', 'Error E-42', 2],
    ['error-e-42-1', 'Error E-42', 2],
    ['what’s-new', 'What’s new', 3],
    ['1', '#1', 2],
  ])
})

it('makes scrollable areas reachable by keyboard', () => {
  const { html } = renderMarkdown('```\nx\n```\n\n| a |\n| - |\n| b |', base)

  expect(html).toContain('<pre tabindex="0">')
  expect(html).toContain('<table tabindex="0">')
})

it('colours code whose language it knows, as text', () => {
  const { html } = renderMarkdown('```ts title="a.ts"\nconst a = "<b>"\n```\n\n```klingon\n<b>\n```', base)

  expect(html).toContain('<div class="cap"><span>a.ts</span></div>')
  expect(html).toContain('<span class="hljs-string">"&#x3C;b>"</span>')
  expect(html).toContain('<code class="language-klingon">&#x3C;b>\n</code>')
})

it.each(['--for', '--if=done', '--then', '-if'])(
  'takes no part of the option %s for a keyword of the shell',
  (option) => {
    const { html } = renderMarkdown(`~~~sh\ndocent site add ${option} docs; for name in a; do true; done\n~~~`, base)

    const keywords = [...html.matchAll(/hljs-keyword">([^<]*)/g)].map(([, word]) => word)
    expect(keywords).toEqual(['for', 'in', 'do', 'done'])
  },
)

it('shows callouts, steps and groups of code as what they were, without a script', () => {
  const { html } = renderMarkdown(
    '**Warning:** Hot.\n\n**2. Pour**\n\nSlowly.\n\n**npm**\n\n```sh\nnpm i\n```\n\n```sh pnpm\npnpm i\n```\n\n```sh\nls\n```',
    base,
  )

  expect(html).toContain('<p class="callout warn"><strong>Warning:</strong> Hot.</p>')
  expect(html).toContain('<p class="step"><span class="number">2</span><strong>Pour</strong></p>')
  expect(html).toMatch(
    /<div class="tabs"><details name="tabs-1" open><summary>npm<.*<details name="tabs-1"><summary>pnpm</s,
  )
  expect(html).toMatch(/<\/details><\/div>\s*<div class="code">/)
})

it('lets no page imitate what we add', () => {
  const { html } = renderMarkdown(
    '<p class="callout bad">x</p><details name="a" open></details><div id="docent-text" class="tree" popover></div>',
    base,
  )

  expect(html).not.toMatch(/callout|docent-text|popover|name=/)
})
