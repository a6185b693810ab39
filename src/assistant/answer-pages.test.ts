import { expect, it } from 'vitest'
import type { LinkStyle } from '../contract/assistant-request.ts'
import { AnswerPages } from './answer-pages.ts'
import { LinkGate } from './gate/link-gate.ts'

const site = 'https://docs.example.com'

function createPages(links: LinkStyle = 'relative', siteUrl = site) {
  const pages = new AnswerPages(siteUrl, links)
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

it('accepts links within the site and none that lead elsewhere', () => {
  const { pages, pass } = createPages()

  const text = pass(
    `[a](${site}/limits) [b](https://evil.example/install) [c](/unknown) [d](//docs.example.com/install) ` +
      `[e](/ "Home") [f](${site}.evil.example/install) [g](/\\evil.example/install) [h](install) [i](/a%20%28b%29?x=1) ` +
      `[j](?x) [k](${site}@evil.example) [l](//evil.example/install) `,
  )

  expect(text).toBe(`[a](/limits) b c d [e](/ "Home") f g h [i](/a%20%28b%29?x=1) j k l `)
  expect(pages.cited.map(({ path }) => path)).toEqual(['/limits', '/', '/a (b)'])
})

it.each([
  ['relative', site, '/install#linux', '/'],
  ['absolute', site, `${site}/install#linux`, site],
  ['relative', `${site}/manual`, '/manual/install#linux', '/manual'],
  ['absolute', `${site}/manual`, `${site}/manual/install#linux`, `${site}/manual`],
] as const)('writes links %s at %s, however the model writes them', (links, siteUrl, install, home) => {
  const { pages, pass } = createPages(links, siteUrl)

  for (const target of ['/install#linux', `${siteUrl}/install#linux`, new URL(`${siteUrl}/install#linux`).pathname]) {
    const anchor = target.includes('#') ? '' : '#linux'
    expect(pass(`[a](${target}${anchor} "Title") `)).toBe(`[a](${install} "Title") `)
  }
  expect(pass(`[a](${siteUrl}) [b](${siteUrl}?x=1) `)).toBe(`[a](${home}) [b](${home}?x=1) `)
  expect(pages.cited.map(({ url }) => url)).toEqual([`${siteUrl}/install`, `${siteUrl}/`])
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
