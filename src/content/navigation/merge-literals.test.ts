import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeLiterals } from './merge-literals.ts'

/** A navigation with entries at a place that both sides add to. */
const formats: Record<string, { write(entries: readonly string[]): string; entry(name: string): string }> = {
  'docs.json': {
    entry: (name) => `            "guides/${name}"`,
    write: (entries) =>
      `{\n  "name": "Acme",\n  "navigation": {\n    "groups": [\n      {\n        "group": "Guides",\n        "pages": [\n${entries.join(',\n')}\n        ]\n      },\n      { "group": "API", "pages": ["api"] }\n    ]\n  }\n}\n`,
  },
  'content/meta.json': {
    entry: (name) => `"${name}"`,
    write: (entries) => `{ "title": "Guides", "pages": [${entries.join(', ')}] }\n`,
  },
  'mkdocs.yml': {
    entry: (name) => `      - ${name.toUpperCase()}: guides/${name}.md`,
    write: (entries) =>
      `site_name: Acme\nnav:\n  - Home: index.md\n  - Guides:\n${entries.join('\n')}\n  # The rest.\n  - About: about.md\nplugins:\n  - search\nextra:\n  x: !!python/name:materialx.emoji\n`,
  },
  '.vitepress/config.mts': {
    entry: (name) => `          { text: '${name}', link: '/guides/${name}' },`,
    write: (entries) =>
      `import { defineConfig } from 'vitepress'\nimport type { X } from './x'\n\nconst title: string = 'Acme'\n\nexport default defineConfig({\n  title,\n  themeConfig: {\n    sidebar: [\n      {\n        text: 'Guides',\n        items: [\n${entries.join('\n')}\n        ],\n      },\n    ],\n  },\n  transform: (page) => page.id,\n})\n`,
  },
  'sidebars.js': {
    entry: (name) => `    'guides/${name}'`,
    write: (entries) =>
      `// @ts-check\nmodule.exports = {\n  docs: [\n    'intro',\n    { type: 'category', label: 'Guides', items: [\n${entries.join(',\n')}\n    ] },\n  ],\n}\n`,
  },
  'astro.config.mjs': {
    entry: (name) => `            { label: '${name}', slug: 'guides/${name}' },`,
    write: (entries) =>
      `import starlight from '@astrojs/starlight'\n\nexport default defineConfig({\n  integrations: [\n    starlight({\n      sidebar: [\n        {\n          label: 'Guides',\n          items: [\n${entries.join('\n')}\n          ],\n        },\n      ],\n    }),\n  ],\n})\n`,
  },
  'pages/_meta.ts': {
    entry: (name) => `  '${name}': 'The ${name}',`,
    write: (entries) => `export default {\n  index: 'Home',\n${entries.join('\n')}\n}\n`,
  },
}

describe.each(Object.entries(formats))('in %s', (path, { write, entry }) => {
  const of = (...names: string[]) => write(names.map(entry))

  it('keeps the entries that both sides add in one place, and changes nothing else', () => {
    const merged = mergeLiterals({ path, base: of('one'), ours: of('one', 'ours'), theirs: of('one', 'theirs') })

    expect(merged).toBe(of('one', 'ours', 'theirs'))
  })

  it('keeps a removal, an addition at the start and one at the end', () => {
    const sides = { base: of('a', 'b', 'c'), ours: of('b', 'c', 'd'), theirs: of('z', 'a', 'b', 'c', 'e') }

    expect(mergeLiterals({ path, ...sides })).toBe(of('z', 'b', 'c', 'd', 'e'))
  })

  it('adds what is added on one side where the other moved it', () => {
    const sides = { base: of('a', 'b', 'c'), ours: of('a', 'b', 'c', 'new'), theirs: of('c', 'a', 'b') }

    const merged = mergeLiterals({ path, ...sides })

    expect(merged).toBe(of('c', 'new', 'a', 'b'))
  })
})

const json = (value: unknown) => JSON.stringify(value, null, 2)
const merge = (base: unknown, ours: unknown, theirs: unknown) =>
  mergeLiterals({ path: 'docs.json', base: json(base), ours: json(ours), theirs: json(theirs) })

it('merges changes of different values, and inside a group that the other side extends', () => {
  const group = (name: string, ...pages: unknown[]) => ({ group: name, pages })
  const base = { name: 'A', color: 1, nav: [group('X', 'a'), group('Y', 'b')] }

  const merged = merge(
    base,
    { ...base, name: 'B', nav: [group('X', 'a', group('In', 'n')), group('Y', 'b')] },
    { ...base, color: 2, nav: [group('X', 'a', 'a2'), group('Y', 'b'), group('Z', 'c')] },
  )

  const nav = [group('X', 'a', group('In', 'n'), 'a2'), group('Y', 'b'), group('Z', 'c')]
  expect(JSON.parse(merged ?? '')).toEqual({ name: 'B', color: 2, nav })
})

it.each([
  ['both sides change the same value', { a: 'x' }, { a: 'y' }, { a: 'z' }],
  [
    'one side removes what the other changes',
    { g: [{ group: 'G', pages: ['a'] }] },
    { g: [] },
    { g: [{ group: 'G', pages: ['b'] }] },
  ],
  ['both sides move entries', { p: ['a', 'b', 'c'] }, { p: ['c', 'a', 'b'] }, { p: ['b', 'a', 'c'] }],
])('refuses when %s', (_, base, ours, theirs) => {
  expect(merge(base, ours, theirs)).toBeNull()
})

it('refuses code that both sides change, and takes code that one side changes', () => {
  const write = (code: string, ...pages: string[]) => `const x = ${code}\nexport default { pages: ${json(pages)} }\n`
  const path = '.vitepress/config.ts'
  const base = write('f(1)', 'a')

  expect(mergeLiterals({ path, base, ours: write('f(2)', 'a'), theirs: write('f(3)', 'a', 'b') })).toBeNull()
  expect(mergeLiterals({ path, base, ours: write('f(1)', 'a', 'c'), theirs: write('f(3)', 'a', 'b') })).toBe(
    write('f(3)', 'a', 'b', 'c'),
  )
})

it('refuses what it cannot read: broken files, other files, nesting without end', () => {
  const deep = '['.repeat(100_000)

  expect(mergeLiterals({ path: 'docs.json', base: '{', ours: '{}', theirs: '[]' })).toBeNull()
  expect(mergeLiterals({ path: 'page.mdx', base: 'a', ours: 'b', theirs: 'c' })).toBeNull()
  expect(mergeLiterals({ path: 'docs.json', base: deep, ours: `${deep}[`, theirs: `${deep} ` })).toBeNull()
})

it('has every entry that a side added, and none that a side removed, for any lists', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 11 }).map(String), { maxLength: 8 })
  fc.assert(
    fc.property(names, names, names, (base, ours, theirs) => {
      const merged = merge({ p: base }, { p: ours }, { p: theirs })
      if (merged === null) return
      const { p } = JSON.parse(merged) as { p: string[] }
      const wanted = [...new Set([...base, ...ours, ...theirs])].filter((name) =>
        base.includes(name) ? ours.includes(name) && theirs.includes(name) : true,
      )
      expect(p.toSorted()).toEqual(wanted.toSorted())
    }),
    { numRuns: 60 },
  )
})
