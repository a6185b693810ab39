import fc from 'fast-check'
import { createMemoryTree } from '../../src/content/trees/memory-tree.ts'
import { readSite } from '../../src/content/read-site.ts'
import { readHtmlPage } from '../../src/crawl/read-html-page.ts'
import { readRobots } from '../../src/crawl/robots-rules.ts'
import { readSitemap } from '../../src/crawl/read-sitemap.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import { hostileText, mutate, mutation } from './hostile-values.ts'

/** Longest time for one input: a hundred times what it takes, so that only what does not end is found on a busy machine. */
const inputMsMax = 60_000

const pages = { 'index.mdx': '# Home\n\nText.', 'a/b.md': 'Text of b.', 'c.mdx': '---\ntitle: C\n---\n\nText.' }

const docsJson = {
  name: 'Docs',
  theme: 'mint',
  colors: { primary: '#000' },
  navigation: {
    tabs: [{ tab: 'Guides', groups: [{ group: 'Start', pages: ['index', { group: 'In', pages: ['a/b'] }, 'c'] }] }],
    anchors: [{ anchor: 'API', openapi: 'openapi.json' }],
    versions: [{ version: 'v1', pages: ['index'] }],
    languages: [{ language: 'en', pages: ['index'] }],
  },
  redirects: [{ source: '/old', destination: '/a/b' }],
  api: { openapi: ['openapi.json'] },
}
const openApi = {
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getPet',
        summary: 'Get a pet',
        responses: {
          200: {
            description: 'A pet',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
      post: {
        requestBody: { content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Pet' }] } } } },
      },
    },
  },
  webhooks: { added: { post: { summary: 'Added' } } },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Pet: { type: 'object', properties: { parent: { $ref: '#/components/schemas/Pet' }, name: { type: 'string' } } },
    },
  },
}
const mkdocs = {
  site_name: 'Docs',
  docs_dir: 'docs',
  nav: [{ Home: 'index.md' }, { More: [{ B: 'a/b.md' }] }],
  plugins: ['search'],
}
const meta = {
  title: 'Part',
  pages: ['index', '...', '---X---', '[Link](https://x.invalid)'],
  root: true,
  index: { title: 'Home' },
}
const sidebar = {
  themeConfig: { sidebar: [{ text: 'A', link: '/a/b', items: [{ text: 'C', link: '/c' }] }] },
  base: '/',
  srcDir: '.',
}

/** Where a configuration lies, what it holds, and how that is written. */
const configurations: readonly (readonly [file: string, value: unknown, write: (json: string) => string])[] = [
  ['docs.json', docsJson, (json) => json],
  ['mint.json', { ...docsJson, navigation: [{ group: 'Start', pages: ['index', 'c'] }] }, (json) => json],
  ['mkdocs.yml', mkdocs, (json) => json],
  ['content/docs/meta.json', meta, (json) => json],
  ['_meta.json', meta, (json) => json],
  ['_meta.js', meta, (json) => `export default ${json}`],
  ['pages/_meta.ts', meta, (json) => `const meta = ${json} as const\nexport default meta`],
  [
    '.vitepress/config.ts',
    sidebar,
    (json) => `import { defineConfig } from 'vitepress'\nexport default defineConfig(${json})`,
  ],
  [
    'docusaurus.config.js',
    { title: 'D', url: 'https://d.invalid', baseUrl: '/', presets: [['classic', { docs: {} }]] },
    (json) => `module.exports = ${json}`,
  ],
  [
    'sidebars.js',
    { docs: ['index', { type: 'category', label: 'A', items: ['a/b'] }] },
    (json) => `module.exports = ${json}`,
  ],
  [
    'astro.config.mjs',
    { integrations: [{ sidebar: [{ label: 'A', link: '/c' }] }] },
    (json) => `import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight(${json})] }`,
  ],
]

const configured = fc
  .tuple(
    fc.constantFrom(...configurations),
    fc.array(mutation, { maxLength: 2 }),
    fc.option(fc.nat(300), { nil: null, freq: 6 }),
  )
  .map(([[file, value, write], changes, cut]) => {
    const text = write(JSON.stringify(changes.reduce<unknown>(mutate, value)) ?? '')
    return { ...pages, 'openapi.json': JSON.stringify(openApi), [file]: cut === null ? text : text.slice(0, cut) }
  })

const described = fc
  .tuple(fc.array(mutation, { minLength: 1, maxLength: 2 }), fc.option(fc.nat(600), { nil: null, freq: 8 }))
  .map(([changes, cut]) => {
    const text = JSON.stringify(changes.reduce<unknown>(mutate, openApi)) ?? ''
    return { ...pages, 'docs.json': JSON.stringify(docsJson), 'openapi.json': cut === null ? text : text.slice(0, cut) }
  })

/** Pieces that open something, close something else, or end in the middle. */
const markup: readonly string[] = [
  '---\n',
  'title: "A',
  '\n---\n',
  'a: &a [*a, *a]\n',
  'tags: [x, {y: z}]\n',
  '? - x\n',
  '!!js/function "x"\n',
  '<<: *a\n',
  '\t- x\n',
  '# ',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '```',
  '```js {1,3} title="x"\n',
  '~~~~',
  '    code\n',
  '|a|b|\n|-|-|\n',
  '[a](b "c")',
  '[a]: <b> "c"\n',
  '![',
  '](',
  '[^1]',
  '<Card title="A" href="/c">',
  '</Card>',
  '<Tabs><Tab>',
  '</Tab></Tabs>',
  '<>',
  '</>',
  '<!-- ',
  ' -->',
  '{/* ',
  ' */}',
  '{',
  '}',
  '{`',
  '`}',
  '{a.b}',
  '{...a}',
  'export const a = 1\n\n',
  "import A from './c.mdx'\n\n",
  '<A />',
  "import B from '/../../etc/passwd'\n\n",
  '<a {...{}}>',
  '<a b={<c/>}>',
  '<img src=x onerror=alert(1)>',
  '<script>',
  '</script>',
  '<style>{`a{}`}</style>',
  '<details><summary>',
  ':::note\n',
  ':::\n',
  '!!! note\n',
  '--8<-- "c.mdx"\n',
  '<<< @/c.mdx\n',
  '<!--@include: ./c.mdx-->',
  '{% include "x" %}',
  '{{< x >}}',
  '\\',
  '&#0;',
  '&nbsp;',
  '\u0000',
  '\u200b',
  '\ufeff',
  '\r',
  '\u2028',
  '*'.repeat(30),
  '['.repeat(50),
  '<a>'.repeat(30),
  '> '.repeat(40),
  '`'.repeat(20),
  '{#id}',
  '$x$',
  '~~a~~',
]
const markdown = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...markup) },
      { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))
const dialects: readonly (readonly [file: string, config: Record<string, string>])[] = [
  ['c.mdx', { 'docs.json': JSON.stringify(docsJson) }],
  ['c.md', {}],
  ['docs/index.md', { 'mkdocs.yml': JSON.stringify(mkdocs) }],
  ['c.md', { '.vitepress/config.js': 'export default {}' }],
  ['docs/c.mdx', { 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }" }],
  ['llms-full.txt', {}],
]
const written = fc
  .tuple(fc.constantFrom(...dialects), markdown)
  .map(([[file, config], text]) => ({ ...pages, ...config, [file]: text }))

/** What the files of a site hold: its configuration, its API descriptions, its pages. */
export function fuzzSources(): FuzzTarget[] {
  const describe = (files: Record<string, string>) => JSON.stringify(files)
  return [
    makeTarget({ name: 'site configurations', share: 0.07, arbitrary: configured, check: readFiles, describe }),
    makeTarget({ name: 'API descriptions', share: 0.04, arbitrary: described, check: readFiles, describe }),
    makeTarget({ name: 'pages', share: 0.07, arbitrary: written, check: readFiles, describe }),
    makeTarget({
      name: 'published pages',
      share: 0.06,
      arbitrary: fc.tuple(markupOfSites, fc.nat(2)),
      check: readPublished,
    }),
  ]
}

async function readFiles(files: Record<string, string>): Promise<void> {
  const startedAt = performance.now()
  await readSite(createMemoryTree(files))
  requireSoon(startedAt)
}

const tags: readonly string[] = [
  '<html><head>',
  '<title>',
  '</title>',
  '<main>',
  '</main>',
  '<h1 id="x">',
  '<p>',
  '<a href="/b">',
  '<a href="javascript:x">',
  '<base href="//x">',
  '<link rel="canonical" href="',
  '">',
  '<meta name="robots" content="noindex',
  '<pre><code class="language-js">',
  '</code></pre>',
  '<table><tr><td>',
  '<svg>',
  '<template>',
  '<noscript>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '&lt;&#x110000;&#0;&nope;',
  '<div hidden>',
  '<ul><li>',
  '<div>'.repeat(60),
  '<urlset>',
  '<url><loc>https://x.invalid/a</loc></url>',
  '<sitemapindex><sitemap><loc>',
  '<!DOCTYPE a [<!ENTITY b "&b;&b;">]>',
  '<?xml version="1.0"?>',
  'User-agent: *\n',
  'Disallow: /',
  'Allow: /*$',
  'Sitemap: ',
  'Crawl-delay: 1e99\n',
  '*'.repeat(50),
  '\u0000',
  '\ud800',
]
const markupOfSites = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...tags) }, { weight: 1, arbitrary: hostileText }), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''))

async function readPublished([text, kind]: [string, number]): Promise<void> {
  const startedAt = performance.now()
  if (kind === 0) readHtmlPage(text, (url) => URL.parse(url, 'https://site.invalid/')?.href ?? null)
  else if (kind === 1) readSitemap(text, 1_000)
  else readRobots(text, 'docent').isAllowed(`/${text.slice(0, 200)}`)
  requireSoon(startedAt)
}

function requireSoon(startedAt: number): void {
  const seconds = (performance.now() - startedAt) / 1_000
  if (seconds * 1_000 > inputMsMax) throw new Error(`It took ${seconds.toFixed(0)} seconds.`)
}
