import { expect, it } from 'vitest'
import { CitedPages } from './cited-pages.ts'
import { LinkGate } from './link-gate.ts'

const site = 'https://docs.example.com'

function createCited() {
  const cited = new CitedPages(site)
  const results = [
    { path: '/install', metadata: { title: 'Install' } },
    { path: '/limits', metadata: { title: 'Limits' } },
    { path: '/', metadata: { title: 'Home' } },
    { path: '/a (b)', metadata: { title: 'Odd' } },
  ]
  cited.addResults(results)
  const gate = new LinkGate(cited)
  return { cited, pass: (text: string) => gate.push(text) }
}

it('tells a page when its link is complete, and once', () => {
  const { cited, pass } = createCited()

  pass('See [how](/inst')
  expect(cited.takeNew()).toEqual([])
  pass('all#linux) and')
  expect(cited.takeNew()).toEqual([{ path: '/install', title: 'Install', url: `${site}/install` }])
  pass(' [again](/install)')
  expect(cited.takeNew()).toEqual([])
  expect(cited.all.map(({ path }) => path)).toEqual(['/install'])
})

it('takes absolute links within the site and none that lead elsewhere', () => {
  const { cited, pass } = createCited()

  const text = pass(
    `[a](${site}/limits) [b](https://evil.example/install) [c](/unknown) [d](//docs.example.com/install) ` +
      `[e](/ "Home") [f](${site}.evil.example/install) [g](/\\evil.example/install) [h](install) [i](/a%20%28b%29?x=1) `,
  )

  expect(text).toBe(`[a](${site}/limits) b c d [e](/ "Home") f g h [i](/a%20%28b%29?x=1) `)
  expect(cited.all.map(({ path }) => path)).toEqual(['/limits', '/', '/a (b)'])
})

it('writes targets so that nothing in them ends the link or stands for something else', () => {
  const { pass } = createCited()

  expect(pass('[a](</a (b)>) [b](/install?q=&sol;x) ')).toBe('[a](/a%20%28b%29) [b](/install?q=%26sol;x) ')
})

it('names no source of what is no answer, and lets its links stand', () => {
  const { cited, pass } = createCited()

  cited.stopCiting()

  expect(pass('Nearest page: [Install](/install) ')).toBe('Nearest page: [Install](/install) ')
  expect(cited.takeNew()).toEqual([])
  expect(cited.all).toEqual([])
})
