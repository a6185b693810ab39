import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SearchResult } from '../contract/search.ts'
import { CitedPages } from './cited-pages.ts'

const site = 'https://docs.example.com'

function result(path: string, title: string): SearchResult {
  const metadata = { title, description: '', href: site + path, score: 1, headings: [], version: null, language: null }
  return { content: '', path, metadata }
}

function createCited(): CitedPages {
  const cited = new CitedPages(site)
  cited.addResults([result('/install', 'Install'), result('/limits', 'Limits'), result('/', 'Home')])
  return cited
}

it('tells a page when its link is complete, and once', () => {
  const cited = createCited()

  expect(cited.addText('See [how](/inst')).toEqual([])
  expect(cited.addText('all#linux) and')).toEqual([{ path: '/install', title: 'Install', url: `${site}/install` }])
  expect(cited.addText(' [again](/install)')).toEqual([])
  expect(cited.all.map(({ path }) => path)).toEqual(['/install'])
})

it('takes absolute links within the site and leaves all others', () => {
  const cited = createCited()

  const found = cited.addText(
    `[a](${site}/limits) [b](https://evil.example/install) [c](/unknown) [d](//docs.example.com/install) [e](/ "Home")`,
  )

  expect(found.map(({ path }) => path)).toEqual(['/limits', '/'])
})

it('finds the same pages however the text is split', () => {
  const text = 'Read [Install](/install) first, then [Limits](/limits#sales "the limits") and [x](/none).'

  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const cited = createCited()
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      for (const [index, edge] of edges.slice(1).entries()) cited.addText(text.slice(edges[index], edge))
      expect(cited.all.map(({ path }) => path)).toEqual(['/install', '/limits'])
    }),
  )
})
