import { expect, it } from 'vitest'
import { buildOriginLlmsText, buildSitemapIndex, writeRobots } from './origin-files.ts'
import type { PublishedSite } from './published-site.ts'

const siteOf = (slug: string, siteName: string, siteDescription: string): PublishedSite => ({
  site: {
    name: slug,
    url: `https://${slug}.example.com`,
    index: {
      header: {
        siteName,
        siteDescription,
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
  pages: [],
  filesUrl: `https://docent.example.com/sites/${slug}`,
})

it('says in robots.txt what may be done with pages, what is closed, and where the lists are', () => {
  const text = writeRobots({
    contentSignals: 'search=yes, ai-train=no',
    disallowed: ['/admin/'],
    sitemaps: ['https://a.example.com/sitemap.xml'],
    catalogs: ['https://a.example.com/.well-known/ard.json'],
  })

  expect(text).toBe(`User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
Disallow: /admin/

Sitemap: https://a.example.com/sitemap.xml
Agentmap: https://a.example.com/.well-known/ard.json
`)
})

it('states nothing about the use of pages where the owner wants none', () => {
  expect(writeRobots({ contentSignals: 'none', sitemaps: [] })).toBe('User-agent: *\nAllow: /\n')
})

it('links the list of each site, on one line and with its first words', () => {
  const sites = [siteOf('a', 'One [1]', 'First\n## line'), siteOf('b', '', '')]

  expect(buildOriginLlmsText(sites)).toBe(`# Documentation

> 2 documentation sites. Each has its own list of pages.

## Sites

- [One \\[1\\]](https://docent.example.com/sites/a/llms.txt): First ## line
- [b](https://docent.example.com/sites/b/llms.txt)
`)
  expect(buildSitemapIndex(sites).match(/<loc>[^<]+/g)).toEqual([
    '<loc>https://docent.example.com/sites/a/sitemap.xml',
    '<loc>https://docent.example.com/sites/b/sitemap.xml',
  ])
})
