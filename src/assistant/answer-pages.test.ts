import { expect, it } from 'vitest'
import type { LinkStyle } from '../contract/assistant-request.ts'
import { AnswerPages } from './answer-pages.ts'
import { LinkGate } from './gate/link-gate.ts'

const site = 'https://docs.example.com'

function createPages(links: LinkStyle = 'relative', siteUrl = site) {
  const pages = new AnswerPages({ url: siteUrl, revision: 'r1', commit: null }, links)
  const results = [
    { path: '/install', metadata: { title: 'Install' } },
    { path: '/limits', metadata: { title: 'Limits' } },
    { path: '/', metadata: { title: 'Home' } },
    { path: '/a (b)', metadata: { title: 'Odd' } },
  ]
  pages.add(results.map((page) => ({ ...page, content: '' })))
  const gate = new LinkGate(pages)
  const named = () => {
    pages.nameLinked()
    return pages.citations.sections.map(({ path }) => path)
  }
  return { pages, named, pass: (text: string) => gate.push(text) }
}

it('names a linked page once, by the section of its best passage', () => {
  const { pages, pass } = createPages()
  const passage = { title: 'Install', headings: ['Linux'], content: 'Run it.', version: 'v2', language: null }
  pages.add([
    {
      path: '/linux',
      content: '',
      metadata: { title: 'Linux' },
      passage: { ...passage, path: '/linux', anchor: 'run' },
    },
  ])

  pass('See [how](/linux#other) and [again](/linux), and [start](/install)')

  expect(pages.nameLinked()).toEqual([
    {
      type: 'source-cited',
      sourceId: '/linux#run',
      url: `${site}/linux#run`,
      title: 'Linux',
      passage: { path: '/linux', anchor: 'run', headings: ['Linux'], revision: 'r1', version: 'v2' },
    },
    expect.objectContaining({ sourceId: '/install', url: `${site}/install` }),
  ])
  expect(pages.nameLinked()).toEqual([])
})

it('counts the headings of a passage among what a cited page says', () => {
  const { pages, pass } = createPages()
  const passage = { title: 'Install', headings: ['`tls_config`'], content: 'Run it.', version: null, language: null }
  const read = { path: '/linux', content: 'Run it.', metadata: { title: 'Linux' } }
  pages.add([{ ...read, passage: { ...passage, path: '/linux', anchor: 'tls' } }])

  pass('See [how](/linux)')
  pages.nameLinked()

  expect(pages.citedTexts).toEqual(['Linux\n`tls_config`\nRun it.'])
})

it('accepts links within the site and none that lead elsewhere', () => {
  const { named, pass } = createPages()

  const text = pass(
    `[a](${site}/limits) [b](https://evil.example/install) [c](/unknown) [d](//docs.example.com/install) ` +
      `[e](/ "Home") [f](${site}.evil.example/install) [g](/\\evil.example/install) [h](install) [i](/a%20%28b%29?x=1) ` +
      `[j](?x) [k](${site}@evil.example) [l](//evil.example/install) `,
  )

  expect(text).toBe(`[a](/limits) b c d [e](/ "Home") f g h [i](/a%20%28b%29?x=1) j k l `)
  expect(named()).toEqual(['/limits', '/', '/a (b)'])
})

it.each([
  ['relative', site, '/install#linux', '/'],
  ['absolute', site, `${site}/install#linux`, site],
  ['relative', `${site}/manual`, '/manual/install#linux', '/manual'],
  ['absolute', `${site}/manual`, `${site}/manual/install#linux`, `${site}/manual`],
] as const)('writes links %s at %s, however the model writes them', (links, siteUrl, install, home) => {
  const { named, pass } = createPages(links, siteUrl)

  for (const target of ['/install#linux', `${siteUrl}/install#linux`, new URL(`${siteUrl}/install#linux`).pathname]) {
    const anchor = target.includes('#') ? '' : '#linux'
    expect(pass(`[a](${target}${anchor} "Title") `)).toBe(`[a](${install} "Title") `)
  }
  expect(pass(`[a](${siteUrl}) [b](${siteUrl}?x=1) `)).toBe(`[a](${home}) [b](${home}?x=1) `)
  expect(named()).toEqual(['/install', '/'])
})

it('writes targets so that nothing in them ends the link or is decoded differently', () => {
  const { pass } = createPages()

  expect(pass('[a](</a (b)>) [b](/install?q=&sol;x) ')).toBe('[a](/a%20%28b%29) [b](/install?q=%26sol;x) ')
})

it('reports no sources for text that is not an answer, but keeps its links', () => {
  const { pages, pass } = createPages()

  pages.stopCiting()

  expect(pass('Nearest page: [Install](/install) ')).toBe('Nearest page: [Install](/install) ')
  expect(pages.nameLinked()).toEqual([])
  expect(pages.citedTexts).toEqual([])
})
