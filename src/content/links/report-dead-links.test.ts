import { expect, it } from 'vitest'
import { readSite } from '../read-site.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'

type Files = Readonly<Record<string, string>>

const live = Array.from({ length: 20 }, () => '[start](/start)').join(' ')

async function findDead(files: Files) {
  const { findings } = await readSite(createMemoryTree(files))
  return findings.filter(({ rule }) => rule === 'link-dead')
}

const docsJson = (fields: object = {}) =>
  JSON.stringify({ navigation: { pages: ['start', 'guides/install'] }, ...fields })

it('names the file, the line, the address and the nearest page of a dead link', async () => {
  const dead = await findDead({
    'docs.json': docsJson(),
    'start.mdx':
      '---\ntitle: Start\n---\n\nSee [how](/guides/instal#linux).\n\n`[code](/nowhere)`\n\n```md\n[x](/nowhere)\n```\n',
    'guides/install.mdx': 'Text',
  })

  const message = 'The link to /guides/instal leads to no page. The nearest page is /guides/install.'
  expect(dead).toEqual([{ file: 'start.mdx', line: 5, rule: 'link-dead', message }])
})

it('tells once of many links below a folder without pages', async () => {
  const dead = await findDead({
    'docs.json': docsJson(),
    'start.mdx': [1, 2, 3, 4, 5].map((n) => `[x](/messages/m${n})`).join(' '),
    'guides/install.mdx': '[x](/guides/gone)',
  })

  expect(dead.map(({ message }) => message)).toEqual([
    '5 links lead below /messages, where the site has no page. Check whether its pages are elsewhere.',
    expect.stringContaining('/guides/gone'),
  ])
})

it('reports links to pages above the folder of the site', async () => {
  const dead = await findDead({
    'mkdocs.yml': 'site_name: X',
    'docs/index.md': 'See [changes](../CHANGES.md) and [code](../src/x.py).',
    'CHANGES.md': '# Changes',
    'src/x.py': '',
  })

  expect(dead).toMatchObject([
    { file: 'docs/index.md', line: 1, message: expect.stringContaining('/CHANGES') as string },
  ])
})

it('takes redirects, static files, hidden pages and generated files for live', async () => {
  const redirects = [{ source: '/old/:name', destination: '/start' }]
  const paths = [
    '/old/x',
    '/moved',
    '/kept',
    '/files/a.pdf',
    '/secret',
    '/llms.txt',
    '/feed.xml',
    '/openapi.json',
    '/x/logo.png',
  ]
  const dead = await findDead({
    'docs.json': docsJson({ redirects }),
    'start.mdx': paths.map((path) => `[x](${path})`).join('\n'),
    'guides/install.mdx': 'Text',
    'secret.mdx': 'Not in the navigation',
    'static/files/a.pdf': '',
    'vercel.json': '{ "redirects": [{ "source": "/moved", "destination": "/start" }] }',
    'public/_redirects': '# Netlify\n/kept  /start  301\n/*  /404  404\n',
  })

  expect(dead).toEqual([])
})

it.each<[format: string, files: Files]>([
  [
    'Docusaurus',
    {
      'docusaurus.config.js': `module.exports = { baseUrl: '/x/', presets: [['classic', {}]], plugins: [['@docusaurus/plugin-content-blog', { id: 'news', routeBasePath: 'news' }], ['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/old', '/older'], to: '/docs/start' }] }]] }`,
      'docs/start.md': `${live} [a](/old) [b](/older) [c](/blog/2024/x) [d](/community) [e](/docs/draft) [f](/docs/dead) [g](/docs/category/x) [h](/docs/all) [i](/news/x)`,
      'docs/x/_category_.json': '{ "link": { "type": "generated-index", "slug": "/all" } }',
      'docs/draft.md': '---\nunlisted: true\n---\nText',
      'blog/2024-01-01-x.md': 'Text',
      'src/pages/community.tsx': '',
    },
  ],
  [
    'MkDocs',
    {
      'mkdocs.yml':
        'site_url: https://a.b/x/\nplugins:\n  - redirects:\n      redirect_maps:\n        old/page.md: start.md\n',
      'docs/start.md': `${live} [a](old/page.md) [b](/elsewhere) [c](dead.md)`,
    },
  ],
  [
    'Starlight',
    {
      'astro.config.mjs': `export default { integrations: [starlight({ title: 'x' })], redirects: { '/old/[...rest]': '/start' } }`,
      'src/content/docs/start.md': `${live} [a](/old/x/y) [b](/shop/) [c](/dead/)`,
      'src/pages/[shop].astro': '',
      'src/pages/shop.astro': '',
    },
  ],
  [
    'Fumadocs',
    {
      'source.config.ts': '',
      'content/docs/start.mdx': `${live.replaceAll('/start', '/docs/start')} [a](/blog/x) [b](/docs/dead)`,
      'app/(home)/blog/[slug]/page.tsx': '',
      'app/docs/[[...slug]]/page.tsx': '',
    },
  ],
])('knows what else %s serves', async (_format, files) => {
  const dead = await findDead(files)

  expect(dead.map(({ message }) => message.split('. ')[0])).toEqual([expect.stringMatching(/\/dead leads to no page$/)])
})

it('lists at most 50 dead links and counts the rest', async () => {
  const links = (name: string) => Array.from({ length: 70 }, (_, index) => `[x](/${name}${index})`).join('\n')
  const pages = Array.from({ length: 70 }, (_, index) => [`alive${index}.md`, 'Text']).concat([['zz/one.md', 'Text']])
  const dead = await findDead({ 'index.md': `${links('alive')}\n${links('zz/dead')}`, ...Object.fromEntries(pages) })

  expect(dead).toHaveLength(51)
  expect(dead.at(-1)?.message).toMatch(/^20 more links lead to no page/)
})

it('says once that the addresses are wrong if most links are dead', async () => {
  const links = Array.from({ length: 30 }, (_, index) => `[x](/docs/page${index})`).join('\n')
  const dead = await findDead({ 'index.md': links })

  expect(dead).toEqual([
    expect.objectContaining({ file: '', message: expect.stringMatching(/^30 of the site's 30 links/) }),
  ])
})

it('reports no generated or static file in a navigation', async () => {
  const pages = ['start', '/llms.txt', '/openapi.json', 'files/a.pdf', 'missing']
  const { findings } = await readSite(
    createMemoryTree({ 'docs.json': docsJson({ navigation: { pages } }), 'start.mdx': 'Text', 'files/a.pdf': '' }),
  )

  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('refers to missing')])
})
