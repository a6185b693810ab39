import { expect, it } from 'vitest'
import { readTestSite } from '../../../test/support/read-test-site.ts'
import { readSite } from '../read-site.ts'
import { findLostWords } from '../markdown/lost-words.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'

const rulesOf = (site: Awaited<ReturnType<typeof readTestSite>>) => site.findings.map(({ rule }) => rule)

it('reports pages that lack the words of their source, 20 by name', async () => {
  const words = 'Every word of this page is lost on its way to the index of the site, as nobody reads it.'
  const files = Array.from({ length: 22 }, (_, index) => [`p${index}.md`, words] as const)

  const site = await readSite(createMemoryTree(new Map(files)), {
    aroundFlatten: async (_library, { body }) => ({ markdown: '', words: findLostWords(body, '') }),
  })

  const found = site.findings.filter(({ rule }) => rule === 'page-words-lost')
  expect(found).toHaveLength(21)
  expect(found[0]?.message).toContain('lacks 20 of the 20 words of its source, such as "Every", "word"')
  expect(found[20]?.message).toMatch(/^2 more pages/)
  expect(site.check.words).toMatchObject({ medianPercent: 0, lossyPages: 22 })
})

it('reports nothing of a page that holds all its words', async () => {
  const site = await readTestSite({ 'a.md': '# A\n\nSome **words** and `code`.\n' })

  expect(site.check.words).toEqual({ medianPercent: 100, worst: { file: 'a.md', percent: 100 }, lossyPages: 0 })
  expect(site.findings).toEqual([])
})

it('keeps the target of a link to a page whose address has a space', async () => {
  const { pages } = await readTestSite({
    'a.md': '# A\n\n[two words](/two%20words#x)\n',
    'two words.md': '# Two\n\n## X\n',
  })

  expect(pages.find(({ path }) => path === '/a')?.markdown).toBe('[two words](/two%20words#x)')
})

/** Pages whose links are written as `link` says, each to the next five. */
function writePages(names: readonly string[], fileOf: (name: string) => string, link: (name: string) => string) {
  return Object.fromEntries(
    names.map((name, index) => {
      const next = [1, 2, 3, 4, 5].map((step) => names[(index + step) % names.length] ?? '')
      return [fileOf(name), `# ${name}\n\n${next.map((other) => `[${other}](${link(other)})`).join(' ')}\n`]
    }),
  )
}

const names = ['install', 'select', 'insert', 'update', 'remove', 'joins', 'views']

it.each([
  ['numbered folders', (name: string) => `docs/03-core/0${names.indexOf(name)}-${name}.mdx`, '/docs/core/'],
  ['a folder that is not part of the address', (name: string) => `src/pages/pg/${name}.mdx`, '/docs/'],
  ['a prefix that only the host knows', (name: string) => `${name}.md`, '/docs/'],
  ['names in lower case', (name: string) => `Core Guides/${name.toUpperCase()}.md`, '/core-guides/'],
])('takes addresses from the links of the site: %s', async (_what, fileOf, prefix) => {
  const site = await readTestSite(writePages(names, fileOf, (name) => `${prefix}${name}`))

  expect(site.pages.map(({ path }) => path).sort()).toEqual(names.map((name) => `${prefix}${name}`).sort())
  expect(rulesOf(site)).toEqual(['addresses-differ'])
  expect(site.check.links).toEqual({ total: 35, working: 35 })
  expect(site.isDoubtful).toBe(false)
})

it('takes links to the rest of the host for no dead ones where the pages turn out to be below a path', async () => {
  const files = writePages(
    names,
    (name) => `${name}.md`,
    (name) => `/docs/${name}`,
  )
  const site = await readTestSite({ ...files, 'views.md': `${files['views.md']}\n[x](/blog/new) [y](/docs/gone)` })

  const dead = site.findings.filter(({ rule }) => rule === 'link-dead')
  expect(dead.map(({ message }) => message)).toEqual([expect.stringContaining('/docs/gone')])
})

it('leads relative links to the new addresses too', async () => {
  const files = writePages(
    names,
    (name) => `docs/03-core/${name}.md`,
    (name) => `/docs/core/${name}`,
  )

  const site = await readTestSite({
    ...files,
    'docs/04-more/a.md': '[b](../03-core/views.md#views) `[c](/docs/03-core/views)`',
  })

  const page = site.pages.find(({ path }) => path === '/docs/more/a')
  expect(page?.markdown).toBe('[b](/docs/core/views#views) `[c](/docs/03-core/views)`')
})

it('moves one of several copies to the address that all of them would have', async () => {
  const copies = ['pg', 'sqlite'].map((folder) =>
    writePages(
      names,
      (name) => `${folder}/${name}.md`,
      (name) => `/docs/${name}`,
    ),
  )

  const site = await readTestSite(Object.assign({}, ...copies))

  const folders = site.pages.map(({ path }) => path.split('/')[1])
  expect(new Set(folders)).toEqual(new Set(['docs', 'sqlite']))
  expect(site.pages).toHaveLength(14)
})

it('follows no links that other links of the site contradict', async () => {
  const links = (name: string) => `[a](/${name}) [b](/en/${name})`
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, names.map(links).join(' ')]))

  const site = await readTestSite(files)

  expect(site.pages.map(({ path }) => path)).toContain('/install')
  expect(site.isDoubtful).toBe(false)
})

it('keeps the addresses of the format if few links say otherwise', async () => {
  const files = writePages(
    names.slice(0, 4),
    (name) => `${name}.md`,
    (name) => `/docs/${name}`,
  )

  const site = await readTestSite(files)

  expect(site.pages.map(({ path }) => path)).toContain('/install')
  expect(site.check.addressRule).toBeNull()
})

it('follows links with an extension or an index, and moves nothing for them', async () => {
  const site = await readTestSite(
    writePages(
      names,
      (name) => `${name}/index.md`,
      (name) => `/${name}/index.html`,
    ),
  )

  expect(site.check).toMatchObject({ links: { total: 35, working: 35 }, addressRule: null })
  expect(site.pages[0]?.markdown).toContain('](/install)')
})

it('takes full addresses of the own host as links of the site', async () => {
  const files = writePages(
    names,
    (name) => `${name}.md`,
    (name) => `https://example.com/docs/${name}`,
  )
  const tree = createMemoryTree(new Map(Object.entries(files)))

  const known = await readSite(tree, { siteUrl: 'https://example.com/docs' })
  const unknown = await readSite(tree)

  expect([known, unknown].map(({ pages }) => pages[0]?.path)).toEqual(['/docs/insert', '/insert'])
})

it('doubts addresses that most of the own links contradict, when no rule explains them', async () => {
  const site = await readTestSite(
    writePages(
      names,
      (name) => `${name}.md`,
      (name) => `/other/${name}-${name}`,
    ),
  )

  expect(site.isDoubtful).toBe(true)
  expect(rulesOf(site)).toContain('addresses-differ')
})

it('reports links to sections that do not exist, with the nearest one', async () => {
  const site = await readTestSite({
    'a.md': '# A\n\n## Set up\n\n[x](#set-up) [y](/b#instal) [z](b.md#own-id) [top](#top)\n',
    'b.md': '# B\n\n## Install\n\n<a id="own-id"></a>\n\n- #### In a list\n\n[l](#in-a-list)\n',
  })

  expect(site.findings).toEqual([
    {
      file: 'a.md',
      line: 5,
      rule: 'anchor-dead',
      message: 'The link to /b#instal leads to a section that does not exist. The nearest is #install.',
    },
  ])
  expect(site.check.anchors).toEqual({ total: 4, working: 3 })
})

it('knows a heading with an id of its own by that id alone', async () => {
  const site = await readTestSite({
    'docusaurus.config.js': "module.exports = { title: 'S', presets: [['classic', { docs: { routeBasePath: '/' } }]] }",
    'docs/a.md':
      '# A\n\n## Set up {#start}\n\n## Take down {/* #end */}\n\n[x](#start) [y](#set-up) [z](#end) [w](#take-down)\n',
  })

  expect(site.findings.map(({ message }) => /#[\w-]+/.exec(message)?.[0])).toEqual(['#set-up', '#take-down'])
})

it('takes the addresses of a few links, if none works by those of the format and all do by a rule', async () => {
  const pages = {
    '1_intro/10.first.md': '# First\n\n[n](/intro/next)',
    '1_intro/20.next.md': '# Next\n\n[f](/intro/first) [d](/more/deep)',
    '2_more/5.deep.md': '# Deep\n\n[f](/intro/first)',
  }

  const site = await readTestSite(pages)
  const odd = await readTestSite({ ...pages, '3.md': '# Three\n\n[1](/1_intro/10.first)' })

  expect(site.pages.map(({ path }) => path)).toEqual(['/intro/first', '/intro/next', '/more/deep'])
  expect(odd.pages.map(({ path }) => path)).toContain('/1_intro/10.first')
})

it('finds a heading with a link by its text', async () => {
  const site = await readTestSite({
    'a.md': '[x](b.md#use-with-foo-ci)',
    'b.md': '# Use with [Foo CI](https://foo.dev/ci)\n\nText.',
  })

  expect(rulesOf(site)).not.toContain('anchor-dead')
})

it('accepts ids in brackets on a title, behind classes of a fence, and in comments for hooks of the site', async () => {
  const site = await readTestSite({
    'mkdocs.yml': 'site_name: S\nnav: [a.md, b.md]',
    'docs/a.md': '[x](b.md#begin) [y](b.md#sample) [z](b.md#config.log) [w](b.md#gone)',
    'docs/b.md':
      '# B [#begin]\n\n``` { .sh .no-copy #sample }\nrun\n```\n\n#### <!-- md:setting config.log -->\n\nWords.',
  })

  expect(site.check.anchors).toEqual({ total: 4, working: 3 })
})

it('accepts what components make anchors of', async () => {
  const site = await readTestSite({
    'docs.json': { name: 'S', navigation: { pages: ['a', 'b'] } },
    'a.mdx': '[x](/b#on-end) [y](/b#param-limit) [z](/b#tools.run) [w](/b#mode)',
    'b.mdx': [
      "<Table rows={[{ name: 'onEnd' }, { name: 'tools' }, { name: 'run' }]} />",
      '<ParamField query="limit" />',
      '### Mode <Badge>new</Badge>',
    ].join('\n\n'),
  })

  expect(rulesOf(site)).not.toContain('anchor-dead')
})
