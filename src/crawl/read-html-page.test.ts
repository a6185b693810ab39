import { describe, expect, it } from 'vitest'
import { readHtmlPage } from './read-html-page.ts'
import { threadCpuMs } from '../../test/support/thread-cpu-ms.ts'

const read = (html: string) => readHtmlPage(html, (url) => (url.startsWith('javascript:') || url === '' ? null : url))

describe('readHtmlPage', () => {
  it('leaves out an address that the page wants its links to start from, which may be none', () => {
    expect(read('<base href="//x"><a href="/next">Next</a>').markdown).toBe('[Next](/next)')
  })

  it('takes the content and leaves out what surrounds it', () => {
    const page = read(`<!doctype html><html lang="en-GB"><head>
      <title>Install | Kiosk</title><meta name="description" content="How to"><link rel="canonical" href="/install">
      </head><body><nav><a href="/">Home</a></nav><header>Banner</header>
      <main><nav class="breadcrumbs">You are here</nav><article>
        <header><h1>Install <a class="hash-link" href="#install">#</a></h1></header>
        <p>Run <code>npm i</code> or see <a href="/next">next</a>, <a href="javascript:x()">not</a>.</p>
        <h2 id="by_hand">By hand<a href="#by_hand" aria-label="Link">#</a></h2>
        <ul><li>One</li><li>Two</li></ul>
        <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
        <div class="language-js"><button>Copy</button><span class="lang">js</span><pre><code><span class="line">a()</span>
<span class="line">b()</span></code></pre></div>
        <img src="x.png" alt="A printer"><p hidden>Secret</p><p style="display: none">Secret</p><script>x()</script>
        <aside>Related</aside>
      </article></main><footer>Imprint</footer></body></html>`)

    expect(page).toMatchObject({ title: 'Install', description: 'How to', language: 'en-GB', canonical: '/install' })
    expect(page.links).toEqual(['/', '#install', '/next', 'javascript:x()', '#by_hand'])
    expect(page.markdown).toBe(
      [
        '# Install',
        'Run `npm i` or see [next](/next), not.',
        '## By hand {#by_hand}',
        '- One\n- Two',
        '| A | B |\n| - | - |\n| 1 | 2 |',
        '```js\na()\nb()\n```',
        'A printer',
      ].join('\n\n'),
    )
  })

  it.each([
    [
      'docusaurus',
      '<pre class="prism-code language-py"><code><span class="token-line">a<br></span><span class="token-line">b<br></span></code></pre>',
    ],
    [
      'expressive code',
      '<pre data-language="py"><code><div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div class="code">b</div></div></code></pre>',
    ],
    ['plain', '<pre><code class="language-py">a\nb\n</code></pre>'],
    ['without a code element', '<div class="highlight-source-py"><pre>a\nb</pre></div>'],
  ])('reads code as %s shows it', (_name, html) => {
    expect(read(`<main>${html}</main>`).markdown).toBe('```py\na\nb\n```')
  })

  it.each([
    ['the only article', '<main><p>Feedback</p><article><p>Text</p></article></main>', 'Text'],
    [
      'what holds all articles',
      '<p>Out</p><main><article><p>One</p></article><article><p>Two</p></article></main>',
      'One\n\nTwo',
    ],
    ['the main part', '<p>Out</p><div role="main"><p>Text</p></div>', 'Text'],
    ['the first of several articles that nothing holds', '<article>One</article><article>Two</article>', 'One'],
    ['the body', '<p>Text</p>', 'Text'],
  ])('finds the content in %s', (_, body, markdown) => {
    expect(read(`<html><body>${body}</body></html>`).markdown).toBe(markdown)
  })

  it('gives nothing of a page that asks not to be indexed, and no links of one that asks not to follow', () => {
    const page = read(
      '<head><meta name="robots" content="NOINDEX, nofollow"></head><body><main><a href="/a">A</a></main></body>',
    )

    expect(page).toMatchObject({ isNoindex: true, isNofollow: true, markdown: '', links: [] })
  })

  it('writes nothing that a page could smuggle in as Markdown or HTML', () => {
    const { markdown } = read('<main><p>&lt;script&gt;x()&lt;/script&gt; [a](javascript:x())</p><p>---</p></main>')

    expect(markdown).not.toMatch(/(?<!\\)<script/)
    expect(markdown).not.toMatch(/(?<!\\)\[a\]\(javascript/)
  })

  it.each([
    ['elements', '<div>'.repeat(200_000)],
    ['formatting', '<a><b><i>'.repeat(20_000)],
    ['tables', '<table><tr><td>'.repeat(20_000)],
    ['open tags', '<a '.repeat(300_000)],
    ['formatting that is never closed', Array.from({ length: 40_000 }, (_, index) => `<b id=${index}><p>`).join('')],
    ['neighbours', `<main><p>${'<i>a</i> '.repeat(200_000)}`],
    ['spans', `<main><p>${'<span class="x">a</span> '.repeat(100_000)}`],
    ['empty navigation', `<main>${'<nav></nav>'.repeat(200_000)}`],
    ['attributes', `<p ${'a=1 '.repeat(200_000)}>`],
  ])('comes to an end with %s without end', { timeout: 60_000 }, (_name, html) => {
    const start = threadCpuMs()

    read(html)

    expect(threadCpuMs() - start).toBeLessThan(20_000)
  })
})
