import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const config = `
  import { defineConfig } from 'astro/config'
  import starlight from '@astrojs/starlight'
  const locales = { root: { label: 'English', lang: 'en-GB' }, 'zh-cn': { label: '简体中文', lang: 'zh-CN' } }
  export default defineConfig({
    base: '/docs',
    integrations: [
      starlight({
        title: 'Kiosk',
        locales,
        sidebar: [
          { label: 'Start', translations: { 'zh-cn': '开始' }, items: ['intro', { label: 'Set up', slug: 'setup' }] },
          { label: 'Guides', items: [{ autogenerate: { directory: 'guides' } }] },
          { label: 'Elsewhere', link: 'https://example.com' },
          'gone',
        ],
      }),
    ],
  })`

const page = (title: string, more = '', body = '') => `---\ntitle: ${title}\n${more}\n---\n${body}`

const docs = 'site/src/content/docs'
const files = {
  'README.md': '# For developers',
  'site/astro.config.mjs': config,
  [`${docs}/index.mdx`]: page('Home', 'hero:\n  tagline: All of it\n  actions:\n    - text: Go\n      link: ./intro/'),
  [`${docs}/intro.md`]: page(
    'Intro',
    '',
    'See [setup](/docs/setup/), [up](../guides/b-second/#x) and [file](./Setup%20Steps.md).',
  ),
  [`${docs}/Setup Steps.md`]: page('Setup', 'slug: setup'),
  [`${docs}/guides/b-second.md`]: page('Second'),
  [`${docs}/guides/a-first.md`]: page('Late', 'sidebar:\n  order: 9'),
  [`${docs}/guides/deep/one.md`]: page('One', 'sidebar:\n  order: 1'),
  [`${docs}/guides/hidden.md`]: page('Hidden', 'sidebar:\n  hidden: true'),
  [`${docs}/guides/draft.md`]: page('Draft', 'draft: true'),
  [`${docs}/guides/quiet.md`]: page('Quiet', 'pagefind: false'),
  [`${docs}/_part.md`]: 'A part.',
  [`${docs}/404.md`]: page('Not found'),
  [`${docs}/zh-cn/intro.md`]: page('介绍'),
}

describe('readSite of a Starlight project', () => {
  it('finds it below the root, and orders pages by sidebar and language under their base', async () => {
    const site = await readTestSite(files)

    expect(site).toMatchObject({ format: 'starlight', name: 'Kiosk', defaultLanguage: 'en', defaultVersion: null })
    expect(site.pages.map(({ path, section, language }) => [path, section, language])).toEqual([
      ['/docs/intro', ['Start'], 'en'],
      ['/docs/setup', ['Start'], 'en'],
      ['/docs/guides/deep/one', ['Guides', 'Deep'], 'en'],
      ['/docs/guides/a-first', ['Guides'], 'en'],
      ['/docs/guides/b-second', ['Guides'], 'en'],
      ['/docs/guides/quiet', ['Guides'], 'en'],
      ['/docs', [], 'en'],
      ['/docs/guides/hidden', [], 'en'],
      ['/docs/zh-cn/intro', ['开始'], 'zh-cn'],
    ])
  })

  it('excludes drafts, partials and the error page, and keeps unsearchable pages out of search', async () => {
    const site = await readTestSite(files)

    expect(site.pages.filter(({ isSearchable }) => !isSearchable).map(({ title }) => title)).toEqual(['Quiet'])
    expect(site.pages.map(({ title }) => title)).not.toContain('Draft')
  })

  it('makes links open the right page, and reads what only the landing page shows', async () => {
    const site = await readTestSite(files)
    const markdownOf = (path: string) => site.pages.find((each) => each.path === path)?.markdown

    expect(markdownOf('/docs/intro')).toBe(
      'See [setup](/docs/setup), [up](/docs/guides/b-second#x) and [file](/docs/setup).',
    )
    expect(markdownOf('/docs')).toBe('All of it\n\n- [Go](/docs/intro)')
  })

  it('reports entries without a page once, and no missing component imports', async () => {
    const body = "import Box from '../../components/box'\nimport Logo from '~/logo.astro'\n\n<Box>Text</Box>"
    const site = await readTestSite({ ...files, [`${docs}/guides/b-second.mdx`]: page('Second', '', body) })

    expect(site.findings.filter(({ rule }) => rule !== 'page-path-duplicate')).toMatchObject([
      { rule: 'navigation-page-missing', message: expect.stringContaining('gone') },
    ])
  })

  it('reads asides and components of the format', async () => {
    const body = [
      ':::caution[Mind the gap]\nIt is **wide**.\n:::',
      ':::note\nPlain.\n:::',
      '```md\n:::note\nKept.\n:::\n```',
      '<Tabs>\n<TabItem label="npm">One</TabItem>\n</Tabs>',
      '<LinkCard title="Next" href="/docs/setup/" description="More" />',
      '<Code code="a = 1" lang="py" title="x.py" />',
    ].join('\n\n')
    const site = await readTestSite({
      ...files,
      [`${docs}/intro.mdx`]: page('Intro', '', body),
      [`${docs}/intro.md`]: '',
    })

    expect(site.pages.find(({ file }) => file.endsWith('docs/intro.mdx'))?.markdown).toBe(
      [
        '**Caution: Mind the gap**  \nIt is **wide**.',
        '**Note:** Plain.',
        '```md\n:::note\nKept.\n:::\n```',
        '**npm**\n\nOne',
        '**[Next](/docs/setup)**\n\nMore',
        '```py x.py\na = 1\n```',
      ].join('\n\n'),
    )
  })
})
