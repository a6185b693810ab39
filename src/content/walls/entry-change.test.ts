import { expect, it } from 'vitest'
import { readStateBefore } from '../checks/site-state.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { findEntryChange } from './entry-change.ts'

const vitepress = `import { defineConfig } from 'vitepress'
const more = make()
export default defineConfig({
  title: 'X',
  themeConfig: { sidebar: [{ text: 'A', link: '/a' }, ...more], nav: [] },
})
`
const docusaurus = `module.exports = { docs: ['a', { type: 'category', label: 'B', items: ['b'] }] }\n`
const astro = `import starlight from '@astrojs/starlight'
export default { integrations: [starlight({ title: 'X', sidebar: ['a', 'b'] })] }
`
const mkdocs = `site_name: X
plugins:
  - redirects:
      redirect_maps:
        old.md: a.md
nav:
  - A: a.md
`
const sites = {
  vitepress: { '.vitepress/config.ts': vitepress, 'a.md': '# A', 'b.md': '# B' },
  docusaurus: {
    'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] }",
    'sidebars.js': docusaurus,
    'docs/a.md': '# A',
    'docs/b.md': '# B',
  },
  starlight: { 'astro.config.mjs': astro, 'src/content/docs/a.md': '# A', 'src/content/docs/b.md': '# B' },
  mkdocs: { 'mkdocs.yml': mkdocs, 'docs/a.md': '# A', 'docs/b.md': '# B' },
}

async function judge(site: keyof typeof sites, path: string, [from, to]: readonly [string, string]) {
  const files: Record<string, string> = sites[site]
  const { outline } = await readStateBefore(createMemoryTree(files), new AbortController().signal)
  const before = files[path] ?? ''
  expect(before).toContain(from)
  return findEntryChange(outline, { path, before, after: before.replace(from, () => to) })
}

const config = '.vitepress/config.ts'
const a = "{ text: 'A', link: '/a' }"

it.each<[keyof typeof sites, string, string, string]>([
  ['vitepress', config, a, `${a}, { text: 'B', link: '/b' }`],
  [
    'vitepress',
    config,
    a,
    `${a},\n      // A group.\n      { text: 'G', collapsed: true, items: [{ text: 'B', link: 'https://example.com' }] }`,
  ],
  ['vitepress', config, `${a}, `, ''],
  ['vitepress', config, `${a}, ...more`, `...more, ${a}`],
  ['docusaurus', 'sidebars.js', "'a', ", ''],
  ['docusaurus', 'sidebars.js', "['b']", "['b', { type: 'doc', id: 'a', label: 'Again' }]"],
  ['starlight', 'astro.config.mjs', "'a', 'b'", "'b', { label: 'A', slug: 'a' }"],
  ['starlight', 'astro.config.mjs', 'export default { ', "export default { redirects: { '/old': '/a' }, "],
  ['mkdocs', 'mkdocs.yml', '  - A: a.md', '  - A: a.md\n  - More:\n      - B: b.md'],
  ['mkdocs', 'mkdocs.yml', 'old.md: a.md', 'old.md: a.md\n        older.md: a.md'],
])('lets literal entries of %s in %s change: %s → %s', async (site, path, from, to) => {
  expect(await judge(site, path, [from, to])).toBeNull()
})

it.each<[keyof typeof sites, string, string, string]>([
  ['vitepress', config, a, `${a}, steal()`],
  ['vitepress', config, a, `${a}, ...evil`],
  ['vitepress', config, a, `${a}, { text: steal(), link: '/b' }`],
  ['vitepress', config, a, `${a}, { [steal()]: '/b' }`],
  ['vitepress', config, a, `${a}, { ...steal(), link: '/b' }`],
  ['vitepress', config, a, `${a}, { get text() { return steal() } }`],
  ['vitepress', config, a, `${a}, { text: \`\${steal()}\`, link: '/b' }`],
  ['vitepress', config, a, `${a}, { text: '<img src=x onerror=alert(1)>', link: '/b' }`],
  ['vitepress', config, a, `${a}, { text: 'B', link: 'javascript:alert(1)' }`],
  ['vitepress', config, a, `${a}, { text: 'B', onclick: 'alert(1)' }`],
  ['vitepress', config, a, `${a}, { __proto__: { text: 'B' } }`],
  ['vitepress', config, '...more', '...more, ...more'],
  ['vitepress', config, "title: 'X'", "title: 'Y'"],
  ['vitepress', config, 'const more = make()', 'const more = steal()'],
  ['vitepress', config, 'nav: []', "nav: [{ text: 'B', link: '/b' }]"],
  ['vitepress', config, `[${a}, ...more]`, 'steal()'],
  ['vitepress', config, `[${a}, ...more]`, `(steal(), [${a}, ...more])`],
  ['vitepress', config, '})\n', "})\nrequire('child_process').execSync('id')\n"],
  ['docusaurus', 'sidebars.js', "'a', ", "'a', { type: 'html', value: 'x' }, "],
  ['docusaurus', 'sidebars.js', "'a', ", "'a', require('x'), "],
  ['docusaurus', 'sidebars.js', "'a', ", "'a', '../../secret', "],
  ['starlight', 'astro.config.mjs', "'a', 'b'", "'a', 'b', { label: 'A', link: '/a', attrs: { onclick: 'alert(1)' } }"],
  [
    'starlight',
    'astro.config.mjs',
    'export default { ',
    "export default { redirects: { '/old': 'https://evil.example' }, ",
  ],
  ['starlight', 'astro.config.mjs', 'export default { ', "export default { redirects: { '/old': steal() }, "],
  ['starlight', 'astro.config.mjs', 'export default { ', "export default { vite: { '/old': '/a' }, "],
  ['mkdocs', 'mkdocs.yml', 'old.md: a.md', 'old.md: a.md\n        older.md: https://evil.example'],
  ['mkdocs', 'mkdocs.yml', '  - A: a.md', '  - A: !!python/name:os.system a.md'],
  ['mkdocs', 'mkdocs.yml', 'site_name: X', 'site_name: X\nhooks: [a.py]'],
])('refuses anything else in %s, in %s: %s → %s', async (site, path, from, to) => {
  expect(await judge(site, path, [from, to])).not.toBeNull()
})
