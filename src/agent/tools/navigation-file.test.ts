import { describe, expect, it } from 'vitest'
import { addToNavigation, removeFromNavigation, renameInNavigation } from './navigation-file.ts'

const config = `{
  // Comments stay.
  "name": "guides/install",
  "navigation": {
    "groups": [
      { "group": "Start", "pages": ["index", "guides/install", "guides/printers"] },
      { "group": "More", "pages": ["/reference/limits"] }
    ]
  },
  "redirects": [{ "source": "/guides/install", "destination": "/guides/install" }]
}
`

const redirectsOf = (text: string) =>
  (JSON.parse(text.replace(/\/\/ Comments stay\./, '')) as { redirects: unknown }).redirects

describe('a navigation', () => {
  it('replaces the path of a moved page everywhere except in redirect sources, and redirects the old one', () => {
    const renamed = renameInNavigation(
      config.replace('"name": "guides/install"', '"name": "x"'),
      'guides/install.mdx',
      'guides/setup.mdx',
    )

    expect(renamed).toContain('["index", "guides/setup", "guides/printers"]')
    expect(redirectsOf(renamed)).toEqual([{ source: '/guides/install', destination: '/guides/setup' }])
    expect(renamed).toContain('// Comments stay.')
  })

  it('keeps a slash before a name, and makes a list of redirects where there is none', () => {
    const without = config.replace(/,\n {2}"redirects".*/, '')

    const renamed = renameInNavigation(without, 'reference/limits.mdx', 'reference/quotas.mdx')

    expect(renamed).toContain('["/reference/quotas"]')
    expect(redirectsOf(renamed)).toEqual([{ source: '/reference/limits', destination: '/reference/quotas' }])
  })

  it('creates no redirect loop when a page is moved back', () => {
    const there = renameInNavigation(config, 'guides/printers.mdx', 'guides/rolls.mdx')
    const back = renameInNavigation(there, 'guides/rolls.mdx', 'guides/printers.mdx')

    expect(redirectsOf(back)).toEqual([
      { source: '/guides/install', destination: '/guides/install' },
      { source: '/guides/rolls', destination: '/guides/printers' },
    ])
  })

  it('removes a deleted page', () => {
    const removed = removeFromNavigation(config, 'guides/install.mdx')

    expect(removed.replaceAll(/\s+/g, '')).toContain('["index","guides/printers"]')
  })

  it('adds a new page after the last one of its folder, once', () => {
    const added = addToNavigation(config, 'guides/faq.mdx')

    expect(added.replaceAll(/\s+/g, '')).toContain('["index","guides/install","guides/printers","guides/faq"]')
    expect(addToNavigation(added, 'guides/faq.mdx')).toBe(added)
    expect(addToNavigation(config, 'other/new.mdx').replaceAll(/\s+/g, '')).toContain(
      '["/reference/limits","/other/new"]',
    )
  })

  it('that is not JSON stays unchanged', () => {
    for (const change of [removeFromNavigation, addToNavigation]) expect(change('', 'a.mdx')).toBe('')
    expect(renameInNavigation('', 'a.mdx', 'b.mdx')).toBe('')
  })
})
