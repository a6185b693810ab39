import { expect, it } from 'vitest'
import { buildFeed, listChanges } from './changes.ts'
import type { PublishedSite } from './published-site.ts'
import { buildSitemap } from './sitemap.ts'

const at = (day: number) => Date.UTC(2026, 0, day)

const pageOf = (path: string, changedAt?: number, isListed = true) => ({
  path,
  title: `<${path}>`,
  description: 'About & more.',
  section: [],
  version: null,
  language: null,
  tag: null,
  isListed,
  ...(changedAt === undefined ? {} : { changedAt }),
})

const published: PublishedSite = {
  site: {
    name: 'docs',
    url: 'https://docs.example.com',
    index: {
      header: {
        siteName: 'A & B',
        siteDescription: '',
        revision: 'r1',
        defaultVersion: null,
        defaultLanguage: null,
        analyzer: 'a',
        pageCount: 0,
        chunkCount: 0,
      },
      readPage: () => Promise.resolve(null),
    },
  },
  pages: [pageOf('/', at(1)), pageOf('/b', at(3)), pageOf('/unknown'), pageOf('/quiet', at(9), false)],
  filesUrl: 'https://docs.example.com',
}

it('names the listed pages that changed, newest first, in a feed', () => {
  const feed = buildFeed(published)

  expect(feed).toContain('<title>A &amp; B</title>\n<updated>2026-01-03T00:00:00.000Z</updated>')
  expect(feed.match(/<entry>.*/g)).toEqual([
    '<entry><id>https://docs.example.com/b</id><title>&lt;/b&gt;</title><updated>2026-01-03T00:00:00.000Z</updated><link href="https://docs.example.com/b"/><link rel="alternate" type="text/markdown" href="https://docs.example.com/b.md"/><summary>About &amp; more.</summary></entry>',
    expect.stringContaining('<id>https://docs.example.com</id>'),
  ])
})

it('lists what changed at a time or later, and says of how many pages that is not known', () => {
  expect(listChanges(published, at(3))).toEqual({
    items: [
      {
        path: '/b',
        title: '</b>',
        url: 'https://docs.example.com/b',
        markdownUrl: 'https://docs.example.com/b.md',
        changedAt: '2026-01-03T00:00:00.000Z',
      },
    ],
    isComplete: true,
    undatedPages: 1,
  })
  expect(listChanges(published, at(3) + 1).items).toEqual([])
})

it('says when it names only the newest 1,000 pages', () => {
  const pages = Array.from({ length: 1_001 }, (_, n) => pageOf(`/${n}`, at(1) + n))

  const { items, isComplete } = listChanges({ ...published, pages }, 0)

  expect([items.length, isComplete, items[0]?.path]).toEqual([1_000, false, '/1000'])
})

it('has the time of the last change in the sitemap, where it is known', () => {
  expect(buildSitemap(published).match(/<url>.*<\/url>/g)).toEqual([
    '<url><loc>https://docs.example.com</loc><lastmod>2026-01-01T00:00:00.000Z</lastmod></url>',
    '<url><loc>https://docs.example.com/b</loc><lastmod>2026-01-03T00:00:00.000Z</lastmod></url>',
    '<url><loc>https://docs.example.com/unknown</loc></url>',
  ])
})
