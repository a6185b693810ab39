import { describe, expect, it } from 'vitest'
import { openAgentTools } from '../../../test/support/agent-tools.ts'
import type { LiveSite } from '../../sites/live-sites.ts'

const vitepress = {
  'site/.vitepress/config.ts': `export default {
  base: '/docs/',
  themeConfig: {
    sidebar: [
      { text: 'Keys', link: '/guides/keys' }, // kept
    ],
  },
}
`,
  'site/index.md': '# Home\n\nSee [keys](./guides/keys.md#make-one) and ![logo](/logo.svg).\n',
  'site/guides/keys.md': '# Keys\n\n## Make one\n\nBack to [home](../index.md). A key lasts 30 days.\n',
  'site/guides/limits.md': '---\ntitle: Limits\n---\n\nAfter 7 days, see [keys](/guides/keys).\n',
  'site/public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
  'README.md': '# Not of the site\n',
}
const open = () => openAgentTools(vitepress, { subdirectory: 'site' })

describe('a file is found', () => {
  const names = [
    'guides/keys.md',
    './guides/keys.md',
    '/guides/keys.md',
    'guides/keys',
    '/guides/keys',
    '/guides/keys/',
    '/docs/guides/keys',
    '/guides/keys.html',
    'site/guides/keys.md',
    'guides/Keys.md',
    '/guides/keys.mdx',
    '/guides/keys#make-one',
    'https://example.com/docs/guides/keys?x=1#make-one',
    'https://github.com/acme/docs/blob/main/site/guides/keys.md',
    '`guides/keys.md`',
  ]
  it('by its path, with or without what models put around it, by its address and by URLs', async () => {
    const { run } = await open()

    const found = []
    for (const path of names) found.push(`${path} → ${String((await run('read', { path }))['path'])}`)

    expect(found).toEqual(names.map((path) => `${path} → guides/keys.md`))
  })

  it('or the nearest three are named', async () => {
    const { fail } = await open()

    expect(await fail('read', { path: 'guides/kyes' })).toMatch(
      /no file "guides\/kyes"\. Did you mean "guides\/keys\.md"/,
    )
    expect(await fail('delete', { path: 'guides' })).toMatch(/Did you mean/)
    expect(await fail('read', { path: 'guides' })).toMatch(/"guides" is a folder with 2 files/)
  })
})

describe('reading', () => {
  it('takes ranges as models give them, several files, and outlines', async () => {
    const { run } = await open()

    expect(await run('read', { file_path: 'guides/keys', start_line: '3', end_line: '3' })).toMatchObject({
      text: '3\t## Make one',
    })
    expect(await run('read', { path: 'guides/keys', from: -2, to: null })).toMatchObject({
      text: expect.stringContaining('5\tBack'),
    })
    expect(await run('read', { paths: '["index.md", "guides/none"]' })).toMatchObject({
      files: [{ path: 'index.md' }, { path: 'guides/none', error: expect.stringContaining('Did you mean') }],
    })
    expect(await run('read', { path: 'guides/keys', outline: true })).toMatchObject({
      headings: [
        { line: 1, level: 1, text: 'Keys' },
        { line: 3, level: 2, text: 'Make one' },
      ],
    })
  })
})

describe('searching lines', () => {
  const searches: [input: object, total: number][] = [
    [{ pattern: '\\d+ days' }, 2],
    [{ pattern: '(?i)KEYS' }, 4],
    [{ pattern: '\\bkeys?\\b', ignoreCase: true }, 5],
    [{ pattern: 'home|days', glob: '**/*.{md,mdx}' }, 2],
    [{ pattern: 'days', glob: 'limits.*' }, 1],
    [{ pattern: 'days', under: 'guides/keys' }, 1],
    [{ pattern: 'days', under: 'guides/**' }, 2],
    [{ pattern: '[keys](', literal: true }, 2],
    [{ pattern: '[keys](' }, 2],
    [{ query: 'days', case_insensitive: 'true' }, 2],
    [{ pattern: '(a+)+$' }, 0],
    [{ pattern: 'nowhere' }, 0],
  ]
  it('takes patterns and globs as models write them', async () => {
    const { run } = await open()

    const found = []
    for (const [input] of searches) found.push([input, (await run('grep', input))['total']])

    expect(found).toEqual(searches)
  })

  it('shows lines around, counts files, and says what it cannot do', async () => {
    const { run, fail } = await open()

    expect(await run('grep', { pattern: 'Make', context: 1 })).toMatchObject({
      matches: [{ path: 'guides/keys.md', line: 3, before: [''], after: [''] }],
    })
    expect(await run('grep', { pattern: 'days', filesOnly: true })).toMatchObject({
      files: [
        { path: 'guides/keys.md', lines: 1 },
        { path: 'guides/limits.md', lines: 1 },
      ],
    })
    expect(await fail('grep', { pattern: 'a(?=b)' })).toMatch(/look-ahead, which RE2 lacks/)
    expect(await fail('grep', { pattern: 'a', glob: '*.rst' })).toMatch(/No path matches/)
    expect(await fail('grep', { pattern: 'a', files: 'x' })).toMatch(
      /unknown fields: files\..*Call it again with: pattern/,
    )
  })
})

describe('editing', () => {
  it('makes several edits or none, and shows what became of them', async () => {
    const { run, fail, read } = await open()

    const edits = [
      { find: '30 days', replace: '60 days' },
      { find: 'Back to', replace: 'Back' },
    ]
    const edited = await run('edit', { path: '/guides/keys', edits: JSON.stringify(edits) })
    const failed = await fail('edit', {
      path: 'guides/keys',
      edits: [
        { find: '60', replace: '90' },
        { find: 'A kee lasts', replace: '' },
      ],
    })

    expect(edited).toMatchObject({ replaced: 2, text: expect.stringContaining('5\tBack [home]') })
    expect(failed).toMatch(/Edit 2 of 2: .*Similar are line \d+: .*Nothing was changed\./)
    expect(await read('guides/keys.md')).toContain('60 days')
  })

  it('lets links follow a renamed heading', async () => {
    const { run, read } = await open()

    const edited = await run('edit', { path: 'guides/keys', find: '## Make one', replace: '## Create a key' })

    expect(edited).toMatchObject({ updated: ['index.md'] })
    expect(await read('index.md')).toContain('(./guides/keys.md#create-a-key)')
  })

  it.each([
    [
      'a unified diff',
      '--- a/guides/keys.md\n+++ b/guides/keys.md\n@@ -4,2 +4,2 @@\n \n-Back to [home](../index.md). A key lasts 30 days.\n+Gone.\n',
    ],
    [
      'a patch without numbers',
      '*** Begin Patch\n*** Update File: guides/keys.md\n@@ ## Make one\n\n-Back to [home](../index.md). A key lasts 30 days.\n+Gone.\n*** End Patch',
    ],
  ])('applies %s', async (_, patch) => {
    const { run, read } = await open()

    await run('patch', { patch })

    expect(await read('guides/keys.md')).toBe('# Keys\n\n## Make one\n\nGone.\n')
  })

  it('applies no part of a patch that does not fit', async () => {
    const { fail, overlay } = await open()

    const patch =
      '*** Begin Patch\n*** Add File: guides/new.md\n+# New\n*** Update File: guides/keys.md\n@@\n-none\n+x\n*** End Patch'

    expect(await fail('patch', { patch })).toMatch(/does not occur in "guides\/keys\.md"/)
    expect(overlay.changes()).toEqual([])
  })

  it('replaces in many files only with the count of the preview', async () => {
    const { run, fail, read } = await open()

    expect(await run('replace', { find: '(\\d+) days', replace: '$1 nights', regex: true })).toMatchObject({
      total: 2,
      files: 2,
      applied: false,
    })
    expect(await fail('replace', { find: 'days', replace: 'nights', apply: true })).toMatch(/"expect": 2/)
    expect(await fail('replace', { find: 'days', replace: 'nights', apply: true, expect: 3 })).toMatch(
      /2 places would change, not 3/,
    )
    await run('replace', { find: '(\\d+) days', replace: '$1 nights', regex: true, apply: true, expect: 2 })
    expect(await read('guides/limits.md')).toContain('After 7 nights')
  })
})

describe('writing and listing', () => {
  it('gives a new page the extension of the site and names it in the navigation', async () => {
    const { run, read } = await open()

    const written = await run('write', { path: 'guides/faq', content: '# Questions\n', listed: true })

    expect(written).toMatchObject({ path: 'guides/faq.md', listed: true, updated: ['.vitepress/config.ts'] })
    expect(await read('.vitepress/config.ts')).toContain(
      "{ text: 'Keys', link: '/guides/keys' }, // kept\n      { text: 'Questions', link: '/guides/faq' },\n",
    )
  })

  it.each(['CODEOWNERS', 'site/guides/Dockerfile', '.gitmodules', 'guides/.gitattributes'])(
    'gives %s no extension, and refuses it by its name',
    async (path) => {
      const { fail } = await open()

      const refusal = /repository setting|manifest/
      expect(await fail('write', { path, content: '* @evil' })).toMatch(refusal)
      expect(await fail('move', { from: 'guides/limits', to: path })).toMatch(refusal)
    },
  )

  it('puts a new page among the pages of the site, where its own folder is not', async () => {
    const { run, fail } = await openAgentTools({
      'mkdocs.yml': 'site_name: S\nnav: [index.md, guides/a.md]\n',
      'docs/index.md': '# S\n',
      'docs/guides/a.md': '# A\n',
      'notes/b.md': '# B\n',
    })

    expect(await run('write', { path: 'guides/new', content: '# New\n' })).toMatchObject({ path: 'docs/guides/new.md' })
    expect(await run('move', { from: 'docs/guides/a.md', to: 'b.md' })).toMatchObject({ to: 'docs/b.md' })
    expect(await run('move', { from: '/b', to: 'start/b' })).toMatchObject({ to: 'docs/start/b.md' })
    expect(await run('write', { path: 'more/d', content: '# D\n' })).toMatchObject({ path: 'docs/more/d.md' })
    expect(await run('write', { path: 'notes/c.md', content: '# C\n' })).toMatchObject({ path: 'notes/c.md' })
    expect(await fail('write', { path: '../out.md', content: '# C\n' })).toMatch(/repository|path/i)
  })

  it('gives a new page the extension of the pages beside it, whatever other folders have', async () => {
    const { run } = await openAgentTools({
      'docs.json': JSON.stringify({ navigation: { pages: ['guides/a'] } }),
      'guides/a.mdx': '# A\n',
      'notes/b.md': '# B\n',
      'notes/c.md': '# C\n',
    })

    expect(await run('write', { path: 'guides/new', content: '# New\n' })).toMatchObject({ path: 'guides/new.mdx' })
  })

  it('says that a page is not listed', async () => {
    const { run } = await open()

    expect(await run('write', { path: 'guides/faq.md', content: '# Q\n' })).toMatchObject({
      listed: false,
      note: expect.stringContaining('not in the navigation'),
    })
    expect(await run('write', { path: '/guides/faq', content: 'More.\n', append: true })).toMatchObject({ lines: 3 })
  })

  it('changes configuration that is code only by its entries', async () => {
    const { run, fail, read, overlay } = await open()
    const config = await read('.vitepress/config.ts')

    const path = '.vitepress/config.ts'
    expect(await fail('write', { path, content: config.replace("'Keys'", "'All keys'") })).toMatch(/An owner can allow/)
    expect(await fail('edit', { path, find: "'Keys'", replace: "'All keys'" })).toMatch(/An owner can allow/)
    expect(overlay.changes()).toEqual([])
    await run('navigation', { action: 'title', path: '/guides/keys', title: 'All keys' })
    await run('navigation', { action: 'add', path: '/guides/limits', before: 'guides/keys' })
    expect(await read(path)).toBe(
      config
        .replace("'Keys'", "'All keys'")
        .replace('sidebar: [\n', "sidebar: [\n      { text: 'Limits', link: '/guides/limits' },\n"),
    )
    expect(await run('navigation', { action: 'show' })).toMatchObject({
      groups: [{ pages: ['guides/limits.md', 'guides/keys.md'] }],
    })
  })
})

describe('moving and deleting', () => {
  it('redirects to no other website', async () => {
    const { fail } = await open()

    for (const to of ['https://other.example', 'https://other.example/guides/keys'])
      expect(await fail('navigation', { action: 'redirect', path: '/old', to })).toMatch(/is not on this site/)
    expect(await fail('navigation', { action: 'add', path: 'https://other.example/' })).toMatch(/There is no file/)
    expect(await fail('navigation', { action: 'redirect', path: 'javascript:x', to: 'index' })).toMatch(/old address/)
  })

  it('redirects to a heading, also by an address of a site that has none of its own', async () => {
    const files = {
      'docs.json': '{ "name": "S", "navigation": { "pages": ["index", "a"] } }',
      'index.mdx': '# S',
      'a.mdx': '# A',
    }
    const { deps, run, read } = await openAgentTools(files)
    deps.site = { slug: 'docs', url: 'http://127.0.0.1:4000/sites/docs' } as LiveSite

    await run('navigation', { action: 'redirect', path: '/old', to: 'https://docs.acme.example/a#one' })

    expect(JSON.parse(await read('docs.json'))).toMatchObject({
      redirects: [{ source: '/old', destination: '/a#one' }],
    })
  })

  it('lets links, the navigation and the links of the page follow a page', async () => {
    const { run, read } = await open()

    const moved = await run('move', { from: '/guides/keys', to: 'access/' })

    expect(moved).toMatchObject({
      to: 'access/keys.md',
      updated: ['.vitepress/config.ts', 'guides/limits.md', 'index.md'],
      note: expect.stringContaining('A person has to add the redirect'),
    })
    expect(await read('index.md')).toContain('[keys](./access/keys.md#make-one)')
    expect(await read('guides/limits.md')).toContain('[keys](/access/keys)')
    expect(await read('access/keys.md')).toContain('[home](../index.md)')
    expect(await read('.vitepress/config.ts')).toContain("{ text: 'Keys', link: '/access/keys' }, // kept")
  })

  it('lets links lead to the page that takes the place of a deleted one', async () => {
    const { run, read } = await open()

    expect(await run('delete', { path: '/guides/limits', redirectTo: 'index' })).toMatchObject({ updated: [] })
    expect(await run('delete', { path: '/guides/keys', redirectTo: 'index' })).toMatchObject({
      updated: ['.vitepress/config.ts', 'index.md'],
    })

    expect(await read('index.md')).toContain('See [keys](./index.md) and')
  })

  it('takes back what was done in the first round, all of it or one file', async () => {
    const { run, fail, read, overlay } = await open()
    expect(await fail('undo', {})).toMatch(/nothing to take back/)
    await run('move', { from: '/guides/keys', to: 'access/' })
    await run('write', { path: 'guides/new', content: '# New\n' })

    await run('undo', { paths: ['guides/new.md'] })
    const left = overlay.changes().map(({ path }) => path)
    await run('undo', {})

    expect(left).toEqual(['.vitepress/config.ts', 'access/keys.md', 'guides/limits.md', 'index.md'])
    expect(overlay.changes()).toEqual([])
    expect(await read('guides/keys.md')).toContain('# Keys')
  })

  it('takes a part of a round back by any name, with the links and entries that led to it', async () => {
    const { run, fail, overlay } = await open()
    await run('move', { from: '/guides/keys', to: 'access/' })
    await run('write', { path: 'guides/new', content: '# New\n', listed: true })

    expect(await fail('undo', { paths: ['guides/other'] })).toMatch(/has not changed "guides\/other"/)
    await run('undo', { paths: ['/guides/new'] })
    await run('undo', { paths: ['guides/keys', 'access/keys.md'] })

    expect(overlay.changes()).toEqual([])
  })

  it.each(['b.md', 'notes/b.md'])('takes the move of %s back to where the site shows no pages', async (path) => {
    const { run, overlay } = await openAgentTools({
      'mkdocs.yml': 'site_name: S\nnav: [index.md, guides/a.md]\n',
      'docs/index.md': '# S\n',
      'docs/guides/a.md': '# A\n',
      [path]: '# B\n',
    })
    await run('move', { from: path, to: 'docs/guides/b.md' })

    await run('undo', { paths: ['docs/guides/b.md'] })

    expect(overlay.changes()).toEqual([])
  })

  it('refuses a page that differs from a deleted one only in case, but not to rename it so', async () => {
    const { run, fail, overlay } = await open()
    await run('move', { from: 'guides/keys.md', to: 'guides/Keys.md' })
    await run('undo', {})
    await run('delete', { path: '/guides/keys' })

    expect(await fail('write', { path: 'guides/KEYS.md', content: '# Keys\n' })).toMatch(/only in case/)
    expect(overlay.has('guides/KEYS.md')).toBe(false)
  })

  it('lets pages follow an image', async () => {
    const { run, read } = await open()

    await run('move', { from: 'public/logo.svg', to: 'public/images/logo.svg' })

    expect(await read('index.md')).toContain('![logo](/images/logo.svg)')
  })

  it('takes a deleted page out of links and navigation, and keeps images in use', async () => {
    const { run, fail, read } = await open()

    expect(await run('delete', { path: '/guides/keys' })).toMatchObject({
      updated: ['.vitepress/config.ts', 'guides/limits.md', 'index.md'],
    })
    expect(await read('index.md')).toContain('See keys and')
    expect(await read('.vitepress/config.ts')).not.toContain('keys')
    expect(await fail('delete', { path: 'public/logo.svg' })).toMatch(/is still used: index\.md line 3/)
  })
})

it('takes the text of five pages at most, whatever stands in its place', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}`)
  const text = (name: string) => `---\ntitle: ${name}\n---\n\n${'Words of this page. '.repeat(10)}\n`
  const pages = Object.fromEntries(names.map((name) => [`${name}.mdx`, text(name)]))
  const { call } = await openAgentTools({ 'docs.json': JSON.stringify({ navigation: { pages: names } }), ...pages })
  const left = ['', '---\ntitle: X\n---\n', '{/* gone */}', '.', 'Gone.']

  const outcomes = []
  for (const [index, name] of names.entries()) {
    outcomes.push(await call('write', { path: `${name}.mdx`, content: left[index % left.length] }))
  }

  expect(outcomes.map(({ type }) => type)).toEqual([...Array(5).fill('returned'), 'failed', 'failed'])
})

describe('looking at the work', () => {
  it('shows the diff, the past and the page as readers see it', async () => {
    const { run, fail } = await open()
    await run('edit', { path: 'guides/keys', find: '30 days', replace: '60 days' })

    expect(await run('diff', {})).toMatchObject({
      files: [{ path: 'guides/keys.md', kind: 'modified' }],
      diff: expect.stringMatching(
        /^--- a\/guides\/keys\.md\n\+\+\+ b\/guides\/keys\.md\n@@[\s\S]*\+Back to .* 60 days/,
      ),
    })
    expect(await run('history', { path: '/guides/keys' })).toMatchObject({ commits: [{ author: expect.any(String) }] })
    expect(await run('history', { path: '/guides/keys', from: 3, to: 3 })).toMatchObject({
      lines: [{ line: 3, text: '## Make one' }],
    })
    expect(await run('render', { path: 'guides/limits' })).toMatchObject({
      address: '/docs/guides/limits',
      title: 'Limits',
    })
    expect(await fail('render', { path: 'public/logo.svg' })).toMatch(/no page of the site/)
  })
})

it('answers from the pages as they are, with the sources', async () => {
  const { run } = await open()
  const ask = () => run('ask', { question: 'How long does a key last?' })

  const before = await ask()
  await run('edit', { path: 'guides/keys', find: 'A key lasts 30 days.', replace: 'A key lasts 90 days.' })
  const after = await ask()

  expect(before).toMatchObject({ answer: expect.stringContaining('30 days') })
  expect(after).toMatchObject({
    answer: expect.stringContaining('90 days'),
    sources: expect.arrayContaining([expect.objectContaining({ path: '/docs/guides/keys' })]),
  })
})

it('leaves nothing behind of a call that fails half-way', async () => {
  const { fail, overlay } = await openAgentTools({ 'docs.json': '{"navigation":{"pages":["a"]}}', 'a.md': '# A\n' })

  const patch =
    '*** Begin Patch\n*** Update File: a.md\n@@\n-# A\n+# B\n*** Update File: docs.json\n@@\n-none\n+x\n*** End Patch'

  expect(await fail('patch', { patch })).toMatch(/Nothing was changed/)
  expect(overlay.changes()).toEqual([])
})
