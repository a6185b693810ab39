import { expect, it } from 'vitest'
import { readTestSite } from '../../../test/support/read-test-site.ts'
import { findSharedPath } from './shared-path.ts'

it.each([
  [['/docs', '/docs/a', '/docs/b/c'], '/docs'],
  [['/docs/v2/a', '/docs/v2/b'], '/docs/v2'],
  [['/docs/a', '/docsearch/b'], '/'],
  [['/', '/a'], '/'],
  [['/docs/only'], '/'],
  [[], '/'],
])('finds the shared path of %j', (paths, expected) => {
  expect(findSharedPath(paths)).toBe(expected)
})

it('takes the base path from the configuration, else from the pages, unless paths are relative to the site', async () => {
  const pages = { 'docs/guide/a.md': '# A', 'docs/guide/b.md': '# B' }
  const navigation = { pages: ['docs/guide/a', 'docs/guide/b'] }

  const configured = await readTestSite({ ...pages, 'mkdocs.yml': 'site_url: https://example.com/kiosk/\n' })
  const unconfigured = await readTestSite({ ...pages, 'mkdocs.yml': 'site_name: A\n' })
  const docsJson = await readTestSite({ ...pages, 'docs.json': { name: 'A', navigation } })
  const plain = await readTestSite(pages)

  expect([configured, unconfigured, docsJson, plain].map(({ basePath }) => basePath)).toEqual([
    '/kiosk',
    '/guide',
    undefined,
    undefined,
  ])
})
