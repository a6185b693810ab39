import { expect, it } from 'vitest'
import { createMemoryTree } from '../content/trees/memory-tree.ts'
import { readSite } from '../content/read-site.ts'
import { describeSite } from './describe-site.ts'

const api = (path: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { [path]: { get: { summary: `Get ${path}`, responses: { 200: { description: 'OK' } } } } },
  })

it("names API descriptions of public pages only, and passes on the owner's notes for programs", async () => {
  const site = await readSite(
    createMemoryTree({
      'docs.json': JSON.stringify({
        name: 'Kiosk',
        markdown: { instructions: '  Ask first.\u200B\n' },
        navigation: {
          groups: [
            { group: 'Open', openapi: 'open.json', pages: ['GET /open', 'named', 'partners'] },
            { group: 'Hidden', hidden: true, openapi: 'hidden.json' },
          ],
        },
      }),
      'open.json': api('/open'),
      'named.mdx': '---\nopenapi: named.json GET /named\n---\n',
      'named.json': api('/named'),
      'partners.mdx': '---\nopenapi: partners.json GET /partners\ngroups: [partners]\n---\n',
      'partners.json': api('/partners'),
      'hidden.json': api('/hidden'),
    }),
  )

  const header = describeSite(site, 'r1')

  expect(header).toEqual({
    siteName: 'Kiosk',
    siteDescription: '',
    revision: 'r1',
    defaultVersion: null,
    defaultLanguage: null,
    instructions: 'Ask first.',
    apiFiles: ['named.json', 'open.json'],
  })
})
