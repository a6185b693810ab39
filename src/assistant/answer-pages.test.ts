import { expect, it } from 'vitest'
import { AnswerPages } from './answer-pages.ts'
import { LinkGate } from './gate/link-gate.ts'

const site = 'https://docs.example.com'

function createPages() {
  const pages = new AnswerPages(site)
  const results = [
    { path: '/install', metadata: { title: 'Install' } },
    { path: '/limits', metadata: { title: 'Limits' } },
    { path: '/', metadata: { title: 'Home' } },
    { path: '/a (b)', metadata: { title: 'Odd' } },
  ]
  pages.add(results.map((page) => ({ ...page, content: '' })))
  const gate = new LinkGate(pages)
  return { pages, pass: (text: string) => gate.push(text) }
}

it('reports a page once, when its link is complete', () => {
  const { pages, pass } = createPages()

  pass('See [how](/inst')
  expect(pages.takeNewlyCited()).toEqual([])
  pass('all#linux) and')
  expect(pages.takeNewlyCited()).toEqual([{ path: '/install', title: 'Install', url: `${site}/install` }])
  pass(' [again](/install)')
  expect(pages.takeNewlyCited()).toEqual([])
  expect(pages.cited.map(({ path }) => path)).toEqual(['/install'])
})

it('accepts absolute links within the site and none that lead elsewhere', () => {
  const { pages, pass } = createPages()

  const text = pass(
    `[a](${site}/limits) [b](https://evil.example/install) [c](/unknown) [d](//docs.example.com/install) ` +
      `[e](/ "Home") [f](${site}.evil.example/install) [g](/\\evil.example/install) [h](install) [i](/a%20%28b%29?x=1) `,
  )

  expect(text).toBe(`[a](${site}/limits) b c d [e](/ "Home") f g h [i](/a%20%28b%29?x=1) `)
  expect(pages.cited.map(({ path }) => path)).toEqual(['/limits', '/', '/a (b)'])
})

it('writes targets so that nothing in them ends the link or is decoded differently', () => {
  const { pass } = createPages()

  expect(pass('[a](</a (b)>) [b](/install?q=&sol;x) ')).toBe('[a](/a%20%28b%29) [b](/install?q=%26sol;x) ')
})

it('reports no sources for text that is not an answer, but keeps its links', () => {
  const { pages, pass } = createPages()

  pages.stopCiting()

  expect(pass('Nearest page: [Install](/install) ')).toBe('Nearest page: [Install](/install) ')
  expect(pages.takeNewlyCited()).toEqual([])
  expect(pages.cited).toEqual([])
})
