import { expect, it } from 'vitest'
import { readStateBefore } from '../checks/site-state.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { checkRemovals } from './check-removals.ts'

type Files = Readonly<Record<string, string>>

const { signal } = new AbortController()
const names = ['a', 'b', 'c', 'd', 'e', 'f']
const text = 'Words enough that readers would miss them if they were gone from this page of the site, which tells how.'
const page = (fields: string, body = text) => `---\ntitle: A\n${fields}---\n\n${body}\n`

const sites = {
  mintlify: { 'docs.json': JSON.stringify({ name: 'S', navigation: { pages: ['index', ...names] } }) },
  mkdocs: { 'mkdocs.yml': 'site_name: S\nplugins:\n  - redirects:\n      redirect_maps:\n        gone.md: a.md\n' },
  starlight: { 'astro.config.mjs': 'export default { integrations: [starlight({ sidebar: [] })] }\n' },
} satisfies Record<string, Files>
const folders = { mintlify: '', mkdocs: 'docs/', starlight: 'src/content/docs/' }

async function refusals(site: keyof typeof sites, change: Files): Promise<string[]> {
  const folder = folders[site]
  const pages = ['index', ...names].map((name) => [`${folder}${name}.${site === 'mintlify' ? 'mdx' : 'md'}`, page('')])
  const files: Files = { ...sites[site], ...Object.fromEntries(pages) }
  return judge(files, change)
}

type Change = Readonly<Record<string, string | null>>

/** @param moves Former path → new path. */
async function judge(files: Files, change: Change, moves: Files = {}): Promise<string[]> {
  const before = await readStateBefore(createMemoryTree(files), signal)
  const moved = Object.entries(moves).map(([from, to]) => [to, files[from] ?? ''] as const)
  const all: Change = { ...files, ...Object.fromEntries(moved), ...change }
  const now = Object.entries(all).flatMap(([path, text]) => (text === null || path in moves ? [] : [[path, text]]))
  const paths = Object.keys(change)
  const removals = {
    deleted: paths.filter((path) => change[path] === null),
    added: paths.filter((path) => !(path in files)),
    modified: paths.filter((path) => path in files && change[path] !== null),
    earlier: [],
    moved: new Map(Object.entries(moves)),
  }
  const after = createMemoryTree(Object.fromEntries(now) as Files)
  return (await checkRemovals({ before, after, ...removals }, signal)).map(({ rule }) => rule)
}

const everywhere = (written: string) => Object.fromEntries(names.map((name) => [`${name}.mdx`, written]))

it.each([
  ['text', page('', 'Words enough.')],
  ['text for a comment without an end', page('', `<!-- ${text}`)],
  ['text for a definition of a link', page('', `[a]: /x "${text}"`)],
  ['place among the drafts', page('draft: true\n')],
  ['outputs that readers see', page('outputs: [json]\n')],
  ['day of publication to a later one', page('publishDate: 2199-01-01\n')],
  ['place in search engines', page('seo:\n  noindex: true\n')],
  ['publication', page('published: no # later\n')],
  ['place in lists', page('hidden: true\n')],
  ['public', page('groups: [staff]\n')],
  ['place among the drafts, in other spellings', page('"draft" : !!bool "true"\n')],
  ['place in searches', page('noindex: true\n')],
  ['place in searches of Material', page('search:\n  exclude: true\n')],
  ['place in the build', page('build: { render: never }\n')],
  ['fields for those of a draft in TOML', `+++\ndraft = true\n+++\n\n${text}\n`],
])('needs consent where more than five pages lose their %s', async (_, written) => {
  const changed = everywhere(written)

  expect(await refusals('mintlify', changed)).toEqual(['deletions-too-many'])
  expect(await refusals('mintlify', Object.fromEntries(Object.entries(changed).slice(1)))).toEqual([])
})

it('needs consent where no page would be left', async () => {
  const files = { 'docs.json': '{ "navigation": { "pages": ["a", "b"] } }', 'a.mdx': page(''), 'b.mdx': page('') }

  expect(await judge(files, { 'a.mdx': null, 'b.mdx': null })).toEqual(['deletions-too-many'])
  expect(await judge(files, { 'a.mdx': null })).not.toContain('deletions-too-many')
})

const home = { 'index.md': page(''), 'a.md': page(''), 'guides/b.md': page('') }
const below = { '.vitepress/config.ts': "export default { base: '/base/' }\n", ...home }
const docusaurus = {
  'docusaurus.config.js': "export default { presets: [['classic', { docs: { routeBasePath: '/' } }]] }\n",
  'docs/index.md': page(''),
  'docs/a.md': page(''),
}

it.each<[string, Files, Change, Files?]>([
  ['is deleted', home, { 'index.md': null }],
  ['gives its address to another file', home, { 'index.md': null, 'INDEX.md': page('') }],
  ['loses its text', home, { 'index.md': page('', 'Gone.') }],
  ['becomes a draft', home, { 'index.md': page('draft: true\n') }],
  ['is moved away', home, {}, { 'index.md': 'guides/old.md' }],
  ['is moved away for another', home, { 'README.md': page('') }, { 'index.md': 'guides/old.md' }],
  ['is deleted below a base', below, { 'index.md': null }],
  ['loses its address by a slug of its own', docusaurus, { 'docs/index.md': page('slug: /old\n') }],
])('needs consent where the home page %s', async (_, files, change, moves = {}) => {
  expect(await judge(files, change, moves)).toEqual(['deletions-too-many'])
})

it('lets the home page change its text and its extension', async () => {
  expect(await judge(home, { 'index.md': page('', `${text} More.`) })).toEqual([])
  expect(await judge(home, {}, { 'index.md': 'README.md' })).toEqual([])
})

it('counts pages as deleted that are moved to where nobody sees them', async () => {
  const files: Files = { 'source.config.ts': '', 'content/docs/index.mdx': page('') }
  const pages = names.map((name) => `content/docs/${name}.mdx`)
  const many = { ...files, ...Object.fromEntries(pages.map((path) => [path, page('')])) }
  const move = (to: (path: string) => string) => Object.fromEntries(pages.map((path) => [path, to(path)]))

  expect(
    await judge(
      many,
      {},
      move((path) => path.replace('docs/', 'attic/')),
    ),
  ).toEqual(['deletions-too-many'])
  expect(
    await judge(
      many,
      {},
      move((path) => path.replace('docs/', 'docs/more/')),
    ),
  ).toEqual([])
})

it.each<[string, Files, Change]>([
  ['a permalink', home, { 'a.md': page('permalink: /\n') }],
  ['an alias', home, { 'a.md': page('aliases: ["/guides/b/"]\n') }],
  ['a redirect', home, { 'new.md': page('redirect_from:\n  - /index.html\n') }],
  ['a field of TOML', home, { 'a.md': `+++\ntitle = "A"\nurl = "/guides/b"\n+++\n\n${text}\n` }],
  ['a slug', docusaurus, { 'docs/a.md': page('slug: /\n') }],
])('refuses a page that takes the address of another by %s', async (_, files, change) => {
  expect(await judge(files, change)).toContain('page-redirected')
})

it('lets a page keep its address, and take one that is free', async () => {
  expect(await judge(home, { 'a.md': page('permalink: /a/\naliases: [/old, /older/x.html]\n') })).toEqual([])
  expect(
    await judge({ ...home, 'a.md': page('slug: /guides/b\n') }, { 'a.md': page('slug: /guides/b\n', `${text} More.`) }),
  ).toEqual([])
})

it.each([
  ['words', page('', text.slice(0, 40))],
  ['fields that withdraw nothing', page('draft: false\nhidden: false\nsidebar:\n  order: 1\n')],
])('lets pages change their %s', async (_, written) => {
  expect(await refusals('mintlify', everywhere(written))).toEqual([])
})

const docsJson = (source: string) => ({
  'docs.json': JSON.stringify({
    name: 'S',
    navigation: { pages: ['index', ...names] },
    redirects: [{ source, destination: '/a' }],
  }),
})
const starlight = (source: string) => ({
  'astro.config.mjs': `export default { integrations: [starlight({ sidebar: [] })], redirects: { '${source}': '/a' } }\n`,
})
const mkdocs = (source: string) => ({
  'mkdocs.yml': `site_name: S\nplugins:\n  - redirects:\n      redirect_maps:\n        gone.md: a.md\n        ${source}: a.md\n`,
})

it.each([
  ['mintlify', docsJson('/b')],
  ['mintlify', docsJson('/b/')],
  ['mintlify', docsJson('/')],
  ['mintlify', docsJson('/:slug*')],
  ['starlight', starlight('/b')],
  ['starlight', starlight('/')],
  ['mkdocs', mkdocs('b.md')],
] as const)('refuses to redirect readers of %s away from a page: %j', async (site, change) => {
  expect(await refusals(site, change)).toEqual(['page-redirected'])
})

it.each([
  ['mintlify', docsJson('/gone')],
  ['mintlify', docsJson('/old/:slug*')],
  ['starlight', starlight('/gone')],
  ['mkdocs', mkdocs('old.md')],
] as const)('lets %s redirect what is no page: %j', async (site, change) => {
  expect(await refusals(site, change)).toEqual([])
})

it('takes time that grows with the number of comments without an end', async () => {
  const started = process.cpuUsage()

  await refusals('mkdocs', { 'docs/a.md': page('', 'x<!--'.repeat(60_000)) })

  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(1.5)
})
