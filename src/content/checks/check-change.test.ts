import { describe, expect, it } from 'vitest'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { checkChange } from './check-change.ts'
import { check, docsJson, rulesOf, site } from '../../../test/support/check-test-change.ts'

const live = new AbortController().signal

describe('a change that is fine', () => {
  it('has no problems, whatever was wrong before', async () => {
    const problems = await check({
      'guides/use.mdx': `${site['guides/use.mdx']}\nA new [sentence](/guides/install#on-windows).\n`,
    })

    expect(problems).toEqual([])
  })

  it('may move old faults to other lines', async () => {
    const problems = await check({
      'guides/use.mdx': (site['guides/use.mdx'] ?? '').replace('First', 'One\n\nTwo\n\nFirst'),
    })

    expect(problems).toEqual([])
  })

  it('may move a page with its links, its navigation and its old faults', async () => {
    const problems = await check(
      {
        'docs.json': docsJson(['index', 'guides/setup', 'guides/use']),
        'guides/install.mdx': null,
        'guides/setup.mdx': site['guides/install.mdx'] ?? '',
        'index.mdx': (site['index.mdx'] ?? '').replace('guides/install', 'guides/setup'),
        'guides/use.mdx': null,
        'use.mdx': (site['guides/use.mdx'] ?? '').replace('./install', '/guides/setup'),
        'snippets/note.mdx': 'A note about [use](/use).\n',
      },
      {
        renamed: [
          ['guides/setup.mdx', 'guides/install.mdx'],
          ['use.mdx', 'guides/use.mdx'],
        ],
      },
    )

    expect(rulesOf(problems)).toEqual(['navigation-page-missing docs.json', 'page-not-in-navigation use.mdx'])
  })

  it('may remove a page that is redirected', async () => {
    const redirects = [{ source: '/guides/:page', destination: '/' }]

    const problems = await check({
      'docs.json': docsJson(['index', 'guides/use'], { redirects }),
      'guides/install.mdx': null,
    })

    expect(problems).toEqual([])
  })
})

describe('links', () => {
  it('of a changed page must lead to a page and a section', async () => {
    const text = `${site['index.mdx']}\n[a](/guides/gone)\n[b](guides/install#on-mac)\n<Card href="/no/card">Card</Card>\n[c](../../x)\n[d][ref]\n\n[ref]: ./missing\n`

    const problems = await check({ 'index.mdx': text })

    expect(problems.map(({ rule, line, severity, message }) => [rule, line, severity, message])).toEqual([
      [
        'link-broken',
        7,
        'block',
        'The link "/guides/gone" is broken: no page exists at /guides/gone. Correct its address or remove it.',
      ],
      [
        'anchor-broken',
        8,
        'block',
        'The link "guides/install#on-mac" points to a section that does not exist on /guides/install. Correct the part after "#".',
      ],
      ['link-broken', 9, 'block', expect.stringContaining('/no/card')],
      ['link-broken', 10, 'block', 'The link "../../x" points outside the site. Correct its address.'],
      ['link-broken', 13, 'block', expect.stringContaining('./missing')],
    ])
  })

  it('to other sites, in code and to static files are not checked', async () => {
    const text = `${site['index.mdx']}\n[a](https://example.com/x) [b](mailto:a@example.com) \`[c](/gone)\` [d](#) [e](/files/a.pdf) [f](/llms.txt)\n\n\`\`\`md\n[g](/gone)\n\`\`\`\n`

    const problems = await check({ 'index.mdx': text, 'files/a.pdf': 'x' })

    expect(problems).toEqual([])
  })

  it('of untouched pages are checked when a page is removed or moved', async () => {
    const problems = await check({
      'docs.json': docsJson(['index', 'guides/use', 'setup']),
      'guides/install.mdx': null,
      'setup.mdx': site['guides/install.mdx'] ?? '',
    })

    expect(rulesOf(problems)).toEqual(['link-broken guides/use.mdx', 'link-broken index.mdx'])
  })

  it('of untouched pages are checked when a heading is removed', async () => {
    const problems = await check({
      'guides/install.mdx': (site['guides/install.mdx'] ?? '').replace('On Linux', 'On Unix'),
    })

    expect(rulesOf(problems)).toEqual(['anchor-broken index.mdx'])
  })

  it('are not in footnotes of one word', async () => {
    expect(await check({ 'snippets/note.mdx': 'A note[^1].\n\n[^1]: Yes.\n' })).toEqual([])
  })

  it('of snippets are checked too', async () => {
    const changed = await check({ 'snippets/note.mdx': 'A note about [use](/guides/used).\n' })
    const removed = await check({ 'docs.json': docsJson(['index', 'guides/install']), 'guides/use.mdx': null })

    expect([rulesOf(changed), rulesOf(removed)]).toEqual([
      ['link-broken snippets/note.mdx'],
      ['link-broken snippets/note.mdx'],
    ])
  })

  it('resolve by the addresses that the format assigns', async () => {
    const files = {
      'docusaurus.config.js':
        'module.exports = { title: "Site", presets: [["classic", { docs: { routeBasePath: "/" } }]] }\n',
      'docs/01-intro.md': '# Intro\n\n[b](./02-basics/01-start.md) [c](/basics/start)\n',
      'docs/02-basics/01-start.md': '# Start\n',
    }

    const fine = await check({ 'docs/01-intro.md': `${files['docs/01-intro.md']}\n[d](basics/start)\n` }, { files })
    const broken = await check({ 'docs/01-intro.md': `${files['docs/01-intro.md']}\n[e](/basics/none)\n` }, { files })
    const moved = await check(
      { 'docs/02-basics/01-start.md': null, 'docs/02-basics/03-begin.md': '# Start\n' },
      { files },
    )

    expect([fine, rulesOf(broken), rulesOf(moved)]).toEqual([
      [],
      ['link-broken docs/01-intro.md'],
      ['link-broken docs/01-intro.md', 'link-broken docs/01-intro.md'],
    ])
  })
})

describe('pages', () => {
  it('must parse in their syntax: MDX as MDX, Markdown as Markdown', async () => {
    const problems = await check({
      'index.mdx': `${site['index.mdx']}\nUse <slug> and {{.\n`,
      'snippets/notes.md': 'Use <slug> and {{.\n',
    })

    expect(problems.map(({ rule, path, line, severity }) => [rule, path, line, severity])).toEqual([
      ['page-unparsable', 'index.mdx', 7, 'block'],
    ])
  })

  it('must have frontmatter that can be read', async () => {
    const problems = await check({
      'index.mdx': '---\ntitle: a: b: c\n---\n\nText\n',
      'guides/use.mdx': '---\ntitle: Use\n\nNo end.\n',
    })

    expect(problems.map(({ rule, path, severity }) => [rule, path, severity])).toEqual([
      ['frontmatter-invalid', 'guides/use.mdx', 'block'],
      ['frontmatter-invalid', 'index.mdx', 'block'],
    ])
  })

  it('must find their snippets', async () => {
    const problems = await check({ 'index.mdx': `${site['index.mdx']}\nimport X from '/snippets/gone.mdx'\n\n<X />\n` })

    expect(rulesOf(problems)).toEqual(['snippet-missing index.mdx'])
  })
})

describe('configuration', () => {
  it('must refer to existing pages, even from a referenced file', async () => {
    const files = {
      ...site,
      'docs.json': '{ "name": "Site", "navigation": { "$ref": "./nav.json" } }\n',
      'nav.json': '{ "pages": ["index"] }\n',
    }

    const problems = await check({ 'nav.json': '{ "pages": ["index", "guides/none"] }\n' }, { files })
    const lost = await check({ 'nav.json': null }, { files })

    expect(problems.map(({ rule, path, line }) => [rule, path, line])).toEqual([
      ['navigation-page-missing', 'nav.json', 1],
    ])
    expect(rulesOf(lost)).toContain('config-reference-missing docs.json')
  })

  it('should redirect to existing pages', async () => {
    const redirects = [
      { source: '/old', destination: '/guides/use' },
      { source: '/x', destination: 'https://example.com/gone' },
    ]
    const files = {
      ...site,
      'snippets/note.mdx': '',
      'docs.json': docsJson(['index', 'guides/install', 'guides/use'], { redirects }),
    }

    const removed = await check(
      { 'guides/use.mdx': null, 'docs.json': docsJson(['index', 'guides/install'], { redirects }) },
      { files },
    )

    expect(removed.map(({ rule, path, severity }) => [rule, path, severity])).toEqual([
      ['redirect-broken', 'docs.json', 'warn'],
    ])
  })

  it('should list a new page, which is only a warning', async () => {
    const added = await check({ 'new.mdx': '# New\n' })
    const listed = await check({
      'new.mdx': '# New\n',
      'docs.json': docsJson(['index', 'guides/install', 'guides/use', 'new']),
    })
    const edited = await check({ 'new.mdx': '# Newer\n' }, { files: { ...site, 'new.mdx': '# New\n' } })

    expect(added.map(({ rule, path, severity }) => [rule, path, severity])).toEqual([
      ['page-not-in-navigation', 'new.mdx', 'warn'],
    ])
    expect([listed, edited]).toEqual([[], []])
  })

  it('must be valid JSON and YAML', async () => {
    const problems = await check({ 'docs.json': '{ "name": "Site", }', 'data.yaml': 'a: [1\n', 'data.json': '{' })

    expect(rulesOf(problems).filter((rule) => rule.startsWith('config-unparsable'))).toEqual([
      'config-unparsable data.json',
      'config-unparsable data.yaml',
      'config-unparsable docs.json',
    ])
  })

  it('must follow the OpenAPI specification', async () => {
    const info = { title: 'API', version: '1' }
    const valid = JSON.stringify({
      openapi: '3.1.0',
      info,
      paths: { '/a': { get: { responses: { 200: { description: 'Fine' } } } } },
    })
    const files = { ...site, 'openapi.json': valid }

    const fine = await check({ 'openapi.json': valid.replace('Fine', 'Good') }, { files })
    const broken = await check({ 'openapi.json': valid.replace('"info"', '"infos"') }, { files })
    const dangling = await check(
      { 'openapi.json': valid.replace('"description":"Fine"', '"$ref":"#/components/responses/None"') },
      { files },
    )

    expect([fine, rulesOf(broken)[0], rulesOf(dangling)[0]]).toEqual([
      [],
      'openapi-invalid openapi.json',
      'openapi-invalid openapi.json',
    ])
  })
})

describe('checking again over the same base', () => {
  it('finds the same problems, with the same fingerprints on other lines', async () => {
    const before = createMemoryTree(site)
    const run = (text: string) =>
      checkChange(
        { before, after: createMemoryTree({ ...site, 'index.mdx': text }), changedPaths: ['index.mdx'] },
        live,
      )

    const first = await run(`${site['index.mdx']}\n[a](/gone)\n`)
    const second = await run(`${site['index.mdx']}\nMore.\n\n[a](/gone)\n`)
    const third = await run(site['index.mdx'] ?? '')

    expect(first.map(({ rule, line }) => [rule, line])).toEqual([['link-broken', 7]])
    expect(second.map(({ fingerprint, line }) => [fingerprint, line])).toEqual([[first[0]?.fingerprint, 9]])
    expect(third).toEqual([])
  })

  it('does not fail when another check is aborted', async () => {
    const before = createMemoryTree(site)
    const input = {
      before,
      after: createMemoryTree({ ...site, 'index.mdx': '[a](/gone)\n' }),
      changedPaths: ['index.mdx'],
    }
    const controller = new AbortController()
    const first = checkChange(input, controller.signal)
    const second = checkChange(input, live)
    controller.abort(new Error('Stopped.'))

    await expect(first).rejects.toThrow('Stopped.')
    expect(rulesOf(await second)).toEqual(['link-broken index.mdx'])
  })

  it('works after an aborted check', async () => {
    const before = createMemoryTree(site)
    const input = {
      before,
      after: createMemoryTree({ ...site, 'index.mdx': '[a](/gone)\n' }),
      changedPaths: ['index.mdx'],
    }

    await expect(checkChange(input, AbortSignal.abort(new Error('Stopped.')))).rejects.toThrow('Stopped.')
    const problems = await checkChange(input, live)

    expect(rulesOf(problems)).toEqual(['link-broken index.mdx'])
  })
})

it('does not report a fault of the whole site again because its numbers are others', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `page-${index}`)
  const links = (of: readonly string[]) => of.map((name) => `[${name}](/guides/${name})`).join('\n')
  const files = {
    'README.md': `# Home\n\n${links(names)}\n`,
    ...Object.fromEntries(names.map((name, index) => [`01-guides/${index + 10}-${name}.md`, `# ${name}\n\nText.\n`])),
  }
  const whole = await check(
    { 'README.md': '# Home\n', 'new.md': files['README.md'] },
    { files: { 'README.md': '# Home\n' } },
  )

  const added = await check({ 'README.md': `# Home\n\n${links(names.slice(1))}\n` }, { files })

  expect(rulesOf(whole)).not.toEqual([])
  expect(rulesOf(added)).toEqual([])
})
