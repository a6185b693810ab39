import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'
import { FindingList } from '../../finding-list.ts'
import { orderByNextraMeta } from './nextra-navigation.ts'

const nextConfig = `
  import nextra from 'nextra'
  const withNextra = nextra({ contentDirBasePath: '/docs' })
  export default withNextra({ basePath: '/kiosk', reactStrictMode: true })`

describe('readSite of a Nextra project', () => {
  it('orders pages by _meta and keeps hidden ones out of the navigation', async () => {
    const site = await readTestSite({
      'next.config.mjs': nextConfig,
      'content/_meta.tsx': `
        import type { MetaRecord } from 'nextra'
        export default {
          index: 'Home',
          guide: { title: <b>Guides</b> },
          '---': { type: 'separator', title: 'More' },
          later: 'Later',
          hidden: { display: 'hidden' },
        } satisfies MetaRecord`,
      'content/index.mdx': '# Home\n\nSee [one](./guide/one), [later](/docs/later#later).',
      'content/guide/_meta.js': "export default { two: 'Two', one: '' }",
      'content/guide/one.mdx': '# One\n\n<Tabs items={["a", "b"]}>\n<Tabs.Tab>A</Tabs.Tab>\n</Tabs>',
      'content/guide/two.md': '# Two',
      'content/later.mdx': '---\nsearchable: false\n---\n# Later',
      'content/hidden.mdx': '# Hidden',
      'content/_part.mdx': 'Part',
    })

    expect(site).toMatchObject({ format: 'nextra', findings: [] })
    expect(site.pages.map(({ path, section, isSearchable }) => [path, section, isSearchable])).toEqual([
      ['/kiosk/docs', [], true],
      ['/kiosk/docs/guide/two', ['Guide'], true],
      ['/kiosk/docs/guide/one', ['Guide'], true],
      ['/kiosk/docs/later', ['More'], false],
      ['/kiosk/docs/hidden', ['More'], true],
    ])
    expect(site.pages[0]?.markdown).toBe('See [one](/kiosk/docs/guide/one), [later](/kiosk/docs/later#later).')
    expect(site.pages[2]?.markdown).toBe('**a**\n\nA')
  })

  it('keeps what an asterisk hides out of the navigation, except what shows itself', () => {
    const folder = {
      path: '',
      name: '',
      pages: new Map([
        ['a', 'a'],
        ['b', 'b'],
      ]),
      folders: new Map(),
      meta: { '*': { display: 'hidden' }, a: { title: 'A', display: 'normal' } },
    }

    const placed = orderByNextraMeta(folder, new FindingList())

    expect(placed.map(({ page, isInNavigation }) => [page, isInNavigation])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  it('reads the older form: pages with _meta.json, and languages by suffix', async () => {
    const site = await readTestSite({
      'next.config.js':
        "const withNextra = require('nextra')({ theme: 'nextra-theme-docs' })\nmodule.exports = withNextra({ i18n: { locales: ['en', 'de'], defaultLocale: 'en' } })",
      'theme.config.jsx': 'export default { logo: <b>K</b> }',
      'pages/_app.mdx': 'export default function App() {}',
      'pages/index.en.mdx': '# Home',
      'pages/index.de.mdx': '# Start',
      'pages/docs/_meta.en.json': { b: 'B', a: 'A' },
      'pages/docs/a.en.mdx': '# A',
      'pages/docs/b.en.mdx': '# B',
      'pages/docs/[slug].mdx': 'generated',
    })

    expect(site.pages.map(({ path, language }) => [path, language])).toEqual([
      ['/', 'en'],
      ['/docs/b', 'en'],
      ['/docs/a', 'en'],
      ['/de', 'de'],
    ])
  })

  it('reads pages that are files of the app folder', async () => {
    const site = await readTestSite({
      'next.config.ts': 'export default {}',
      'app/_meta.global.ts': "export default { guide: { items: { b: '', a: '' } } }",
      'app/page.mdx': '# Home',
      'app/(docs)/guide/page.mdx': '# Guide',
      'app/(docs)/guide/a/page.mdx': '# A',
      'app/layout.tsx': '',
    })

    expect(site.pages.map(({ path }) => path).sort()).toEqual(['/', '/guide', '/guide/a'])
  })
})
