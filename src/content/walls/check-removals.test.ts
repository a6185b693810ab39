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
  const { outline } = await readStateBefore(createMemoryTree(files), signal)
  const after = createMemoryTree({ ...files, ...change })
  const removals = { deleted: [], earlier: [], moved: [], modified: Object.keys(change) }
  return (await checkRemovals({ outline, after, ...removals }, signal)).map(({ rule }) => rule)
}

const everywhere = (written: string) => Object.fromEntries(names.map((name) => [`${name}.mdx`, written]))

it.each([
  ['text', page('', 'Words enough.')],
  ['text for a definition of a link', page('', `[a]: /x "${text}"`)],
  ['place among the drafts', page('draft: true\n')],
  ['publication', page('published: no # later\n')],
  ['place in lists', page('hidden: true\n')],
  ['public', page('groups: [staff]\n')],
])('needs consent where more than five pages lose their %s', async (_, written) => {
  const changed = everywhere(written)

  expect(await refusals('mintlify', changed)).toEqual(['deletions-too-many'])
  expect(await refusals('mintlify', Object.fromEntries(Object.entries(changed).slice(1)))).toEqual([])
})

it('needs consent where no page would be left', async () => {
  const files = { 'docs.json': '{ "navigation": { "pages": ["a", "b"] } }', 'a.mdx': page(''), 'b.mdx': page('') }
  const { outline } = await readStateBefore(createMemoryTree(files), signal)
  const rules = async (deleted: string[]) => {
    const after = createMemoryTree(
      Object.fromEntries(Object.entries(files).filter(([path]) => !deleted.includes(path))),
    )
    const faults = await checkRemovals({ outline, after, deleted, earlier: [], moved: [], modified: [] }, signal)
    return faults.map(({ rule }) => rule)
  }

  expect(await rules(['a.mdx', 'b.mdx'])).toEqual(['deletions-too-many'])
  expect(await rules(['a.mdx'])).not.toContain('deletions-too-many')
})

it('needs consent to delete the home page, also where another file takes its address', async () => {
  const files = { 'index.md': page(''), 'a.md': page(''), 'b.md': page('') }
  const { outline } = await readStateBefore(createMemoryTree(files), signal)
  const after = createMemoryTree({ 'INDEX.md': page(''), 'a.md': page(''), 'b.md': page('') })

  const faults = await checkRemovals(
    { outline, after, deleted: ['index.md'], earlier: [], moved: [], modified: [] },
    signal,
  )

  expect(faults.map(({ rule }) => rule)).toEqual(['deletions-too-many'])
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
