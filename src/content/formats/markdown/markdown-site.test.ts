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

const pathsOf = (site: SiteContent) => site.pages.map((page) => page.path)

describe('readSite of a folder of Markdown', () => {
  it('reads chapters called build or dist, which a docs.json site only reads if listed', async () => {
    const files = { 'index.md': '# Home', 'build/steps.md': '# Steps', 'dist/ship.md': '# Ship', '.github/x.md': '# X' }
    const navigation = { pages: ['index', 'build/steps'] }

    const plain = await read(files)
    const configured = await read({ ...files, 'docs.json': { name: 'D', navigation, seo: { indexing: 'all' } } })

    expect(pathsOf(plain)).toEqual(['/', '/build/steps', '/dist/ship'])
    expect(pathsOf(configured)).toEqual(['/', '/build/steps'])
  })

  it('makes every file a page, by path, titled by frontmatter, first heading or path', async () => {
    const site = await read({
      'index.md': '# Handbook\n\nWelcome.',
      'b/second.md': '---\ntitle: Two\n---\n# Two\n\nText.',
      'b/first-steps.md': 'No heading.',
      'b/README.md': '# About b',
      'README.md': 'Not the index.',
      'CHANGELOG.md': 'Never a page.',
      'c.txt': 'no page',
    })

    expect(site).toMatchObject({
      format: 'markdown',
      name: 'Handbook',
      defaultVersion: null,
      defaultLanguage: null,
      findings: [],
    })
    expect(site.pages.map((page) => [page.path, page.title, page.markdown, page.order])).toEqual([
      ['/', 'Handbook', 'Welcome.', 0],
      ['/b', 'About b', '', 1],
      ['/b/first-steps', 'First steps', 'No heading.', 2],
      ['/b/second', 'Two', 'Text.', 3],
    ])
  })

  it('reads containers, and the page of a section of Hugo at the address of its folder', async () => {
    const site = await read({
      'keys/_index.md': '---\ntitle: Keys\n---\n:::note\nKeep it.\n:::\n\nSee [new](keys/new).',
      'keys/new.md': 'New.',
    })

    expect(pathsOf(site)).toEqual(['/keys', '/keys/new'])
    expect(site.pages[0]?.markdown).toMatch(/^\*\*Note:\*\* Keep it\.\s+See/)
  })

  it('reports two files that would be the same page, and takes the first', async () => {
    const site = await read({ 'b.md': 'First.', 'b/index.md': 'Second.' })

    expect(site.pages.map((page) => page.markdown)).toEqual(['First.'])
    expect(site.findings).toMatchObject([{ file: 'b/index.md', rule: 'page-path-duplicate' }])
  })

  it('excludes hidden pages', async () => {
    const site = await read({ 'a.md': '---\nhidden: true\n---\nA', 'b.md': 'B' })

    expect(pathsOf(site)).toEqual(['/b'])
  })
})
