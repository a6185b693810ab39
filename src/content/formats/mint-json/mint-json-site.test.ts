import { describe, expect, it } from 'vitest'
import { createMemoryTree } from '../../trees/memory-tree.ts'
import { readSite } from '../../read-site.ts'
import type { SiteContent } from '../../site-page.ts'

function read(files: Readonly<Record<string, unknown>>): Promise<SiteContent> {
  const texts = Object.entries(files).map(([file, content]) => {
    return [file, typeof content === 'string' ? content : JSON.stringify(content, null, 2)] as const
  })
  return readSite(createMemoryTree(new Map(texts)))
}

describe('readSite of a mint.json', () => {
  it('reads groups in their tabs and versions', async () => {
    const site = await read({
      'mint.json': {
        name: 'Old',
        navigation: [
          { group: 'Start', pages: ['intro', { group: 'More', pages: ['more'] }] },
          { group: 'Endpoints', version: 'v2', pages: ['api/one'] },
        ],
        tabs: [{ name: 'API', url: 'api' }],
        versions: ['v1', { name: 'v2' }],
      },
      'intro.mdx': 'I',
      'more.mdx': 'M',
      'api/one.mdx': 'O',
    })

    expect(site.format).toBe('mint-json')
    expect(site.pages.map((page) => [page.version, page.path, page.section])).toEqual([
      ['v1', '/intro', ['Start']],
      ['v1', '/more', ['Start', 'More']],
      ['v2', '/intro', ['Start']],
      ['v2', '/more', ['Start', 'More']],
      ['v2', '/api/one', ['API', 'Endpoints']],
    ])
  })
})
