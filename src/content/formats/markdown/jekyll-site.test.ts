import { expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const files = {
  '_config.yml':
    'title: Pebble\nbaseurl: "/pebble"\nexclude: [secret.md]\ncollections:\n  guides:\n    output: true\n    permalink: /how-to/:path/:constructor\n  notes:\n    output: false\n',
  'README.md':
    '# Pebble\n\nSee [install]({% link docs/install.md %}) and [order]({{ "/how-to/order/" | relative_url }}).',
  'docs/install.md':
    '---\ntitle: Install\nparent: Docs\npermalink: /install/\nredirect_from: [/setup/]\n---\nSee [order](/pebble/how-to/order/#first), [release](../2024/03/01/release.html) and [setup](/setup/).',
  '_guides/order.md': '# Order\n\n## First\n\nGo [back](/pebble/install/).',
  '_posts/2024-03-01-release.markdown': '---\ntitle: Release\n---\nWords.',
  '_drafts/next.md': '# Next',
  '_notes/own.md': '# Own',
  'secret.md': '# Secret',
  'later.md': '---\npublished: false\n---\n# Later',
}

it('reads what Jekyll publishes, at its permalinks, and no drafts', async () => {
  const { name, pages } = await readTestSite(files)

  expect(name).toBe('Pebble')
  expect(pages.map(({ path, file }) => [path, file])).toEqual([
    ['/pebble', 'README.md'],
    ['/pebble/2024/03/01/release', '_posts/2024-03-01-release.markdown'],
    ['/pebble/how-to/order', '_guides/order.md'],
    ['/pebble/install', 'docs/install.md'],
  ])
})

it('follows links to files, permalinks and former addresses, with and without the base path', async () => {
  const { check, findings } = await readTestSite(files)

  expect(findings).toEqual([])
  expect(check).toMatchObject({ links: { total: 6, working: 6 }, anchors: { total: 1, working: 1 } })
})
