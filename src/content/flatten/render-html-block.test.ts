import { expect, it } from 'vitest'
import { renderHtmlBlock } from './render-html-block.ts'

const render = (html: string) =>
  renderHtmlBlock(html, {
    link: (url, text) => (url.startsWith('javascript:') ? text : `[${text}](${url})`),
    image: (_url, alternative) => alternative,
  })

it('keeps headings, links and list items, and makes no code of indented text', () => {
  const html = `<div class="row">
    <div class="card">
        <h3 id="themes" class="title">Great <b>themes</b></h3>
        <p>
            A stack of <a
            href="/themes">good
            themes</a> &amp; <a class="x" href='/b'>more</a>.
        </p>
        <ul><li>One</li>
            <li class="y"> Two</li></ul>
    </div>
</div>`

  expect(render(html)).toBe(
    '### Great themes {#themes}\n\nA stack of [good themes](/themes) & [more](/b).\n\n- One\n\n- Two',
  )
})

it('leaves preformatted text unchanged, and drops script links', () => {
  expect(render('<pre>\n  a\n    b\n</pre>')).toBe('a\n    b')
  expect(render('<a href="javascript:alert(1)">Go</a> <a name="x">there</a>')).toBe('Go there')
})

it('takes linear time', { timeout: 10_000 }, () => {
  for (const part of ['<h2>', '<a href="', '<li ', '<h1><a href="x">'])
    expect(render(part.repeat(100_000))).toBeDefined()
})
