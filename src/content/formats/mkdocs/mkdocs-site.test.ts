import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const config = `
site_name: Kiosk
site_url: https://example.github.io/kiosk/
docs_dir: manual
nav:
  - Home: index.md
  - 'setup.md'
  - Guide:
      - First steps: guide/first.md
      - guide/gone.md
      - https://example.com
exclude_docs: |
  drafts/
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`

const files = {
  'mkdocs.yml': config,
  'manual/index.md': '# Welcome\n\nSee [first](guide/first.md#start), [up](guide/) and [folder](./guide/README.md).',
  'manual/setup.md': '# Setting up\n\nText.',
  'manual/guide/README.md': '# Guide\n',
  'manual/guide/first.md':
    '# First { #top }\n\n[back](../setup.md) [img](img/a.png)\n\n## Go {: #start .wide }\n\n## 1.2 { id="v1.2" }\n',
  'manual/drafts/secret.md': '# Secret',
  'manual/quiet.md': '---\nsearch:\n  exclude: true\n---\n# Quiet',
}

describe('readSite of a MkDocs project', () => {
  it('shows an escaped include as it is written without the escape', async () => {
    const { pages } = await readTestSite({
      'mkdocs.yml': 'site_name: Kiosk\nmarkdown_extensions: [pymdownx.snippets]\n',
      'docs/index.md': '# Home\n\n```\n;--8<-- "part.md"\n```\n\n;--8<--\npart.md\n;--8<--\n',
      'docs/part.md': 'The part.',
    })

    expect(pages[0]?.markdown).toContain('```\n--8<-- "part.md"\n```\n\n--8<--\npart.md\n--8<--')
  })

  it('reads the navigation in order, then unlisted pages, under the path of the site', async () => {
    const site = await readTestSite(files)

    expect(site).toMatchObject({ format: 'mkdocs', name: 'Kiosk' })
    expect(site.pages.map(({ path, title, section, isSearchable }) => [path, title, section, isSearchable])).toEqual([
      ['/kiosk', 'Home', [], true],
      ['/kiosk/setup', 'Setting up', [], true],
      ['/kiosk/guide/first', 'First steps', ['Guide'], true],
      ['/kiosk/guide', 'Guide', [], true],
      ['/kiosk/quiet', 'Quiet', [], false],
    ])
    expect(site.findings).toMatchObject([{ file: 'mkdocs.yml', rule: 'navigation-page-missing' }])
  })

  it('makes links open the right page and keeps ids of headings', async () => {
    const site = await readTestSite(files)

    expect(site.pages[0]?.markdown).toBe(
      '# Welcome\n\nSee [first](/kiosk/guide/first#start), [up](/kiosk/guide) and [folder](/kiosk/guide).',
    )
    expect(site.pages[2]?.markdown).toContain('[back](/kiosk/setup) [img](/kiosk/guide/img/a.png)')
    expect(site.pages[2]?.markdown).toContain('## Go {#start}')
    expect(site.pages[2]?.markdown).toContain('## 1.2 {#v1.2}')
  })

  it('includes files, named sections and line ranges, also in code, from the configured folders', async () => {
    const site = await readTestSite({
      ...files,
      'mkdocs.yml': `${config}  - pymdownx.snippets:\n      base_path: [parts, .]\n`,
      'parts/note.md': 'A note.\n\n--8<-- "deep.md"\n',
      'parts/deep.md': 'Deep.\n',
      'code.py': '# --8<-- [start:open]\nopen(1)\n# --8<-- [end:open]\nclose(2)\nend(3)\n',
      'manual/setup.md':
        '# Setting up\n\n--8<-- "note.md"\n\n```py\n--8<-- "code.py:open"\n```\n\n```py\n--8<-- "code.py:4:5"\n```\n\n--8<-- "gone.md"\n\n--8<-- "../../../etc/passwd"\n',
    })

    expect(site.pages[1]?.markdown).toBe('A note.\n\nDeep.\n\n```py\nopen(1)\n```\n\n```py\nclose(2)\nend(3)\n```')
    expect(site.findings.filter(({ rule }) => rule === 'snippet-missing')).toHaveLength(2)
  })

  it('keeps names of documented code without plugin options, and drops attribute lists', async () => {
    const site = await readTestSite({
      ...files,
      'manual/setup.md':
        '# Setting up\n\n::: kiosk.printer.Printer\n    options:\n        show_root_heading: true\n\nThe **`tray`**{ #tray } and [link](index.md){ .button target="_blank" } of `f(x){ .a }`.\n\n```js\nif (a){ b=1 }\n[TOC]\n```\n',
    })

    expect(site.pages[1]?.markdown).toBe(
      '`kiosk.printer.Printer`\n\nThe **`tray`** and [link](/kiosk) of `f(x){ .a }`.\n\n```js\nif (a){ b=1 }\n[TOC]\n```',
    )
  })

  it('reads admonitions, collapsible blocks and tabs with their indented content', async () => {
    const body = [
      '!!! warning "Hot"\n\n    Do not touch.\n\n    ```sh\n    rm x\n    ```\n\n    ??? note\n        Inner.',
      '=== "npm"\n    Use npm.\n\n=== "yarn"\n    Use yarn.',
      '```\n!!! note\n    Kept.\n```',
      '!!! tip ""\n    Untitled.',
      'After.',
    ].join('\n\n')
    const site = await readTestSite({ ...files, 'manual/setup.md': `# Setting up\n\n${body}` })

    expect(site.pages[1]?.markdown).toBe(
      [
        '**Warning: Hot**\n\nDo not touch.\n\n```sh\nrm x\n```\n\n**Note:**\n\nInner.',
        '**npm**\n\nUse npm.\n\n**yarn**\n\nUse yarn.',
        '```\n!!! note\n    Kept.\n```',
        'Untitled.',
        'After.',
      ].join('\n\n'),
    )
  })

  it('reads languages by folder or by suffix', async () => {
    const i18n = (structure: string) =>
      `plugins:\n  - i18n:\n      docs_structure: ${structure}\n      languages:\n        - locale: de\n        - locale: en\n          default: true\n`

    const byFolder = await readTestSite({ 'mkdocs.yml': i18n('folder'), 'docs/en/a.md': 'A', 'docs/de/a.md': 'A' })
    const bySuffix = await readTestSite({ 'mkdocs.yml': i18n('suffix'), 'docs/a.md': 'A', 'docs/a.de.md': 'A' })

    const expected = [
      ['/a', 'en'],
      ['/de/a', 'de'],
    ]
    expect(byFolder.pages.map(({ path, language }) => [path, language])).toEqual(expected)
    expect(bySuffix.pages.map(({ path, language }) => [path, language])).toEqual(expected)
  })

  it('survives a configuration that is not YAML or expands without end', async () => {
    const bomb = `a: &a [x,x]\nb: &b [*a,*a]\n${Array.from({ length: 30 }, (_, index) => `c${index}: &c${index} [*b,*b]`).join('\n')}`

    for (const text of ['a: [', bomb, '- a list', '']) {
      const site = await readTestSite({ 'mkdocs.yml': text, 'docs/a.md': '# A' })

      expect(site.pages.map(({ path }) => path)).toEqual(['/a'])
    }
  })

  it('includes files and lines by marks, also in code, within the repository only', async () => {
    const site = await readTestSite({
      'site/mkdocs.yml':
        'docs_dir: pages\nmarkdown_extensions:\n  mdx_include:\n    base_path: pages\n  markdown_include_variants:\n',
      'site/pages/index.md': [
        '```py hl_lines="1"\n{!> ../../code/a.py!}\n```',
        '- item\n\n    ```py\n    {! ../../code/a.py [ln:1,3-] !}\n    ```',
        'Before {!part.md!lines=2!} after',
        '{* ../code/a.py ln[2:3] hl[1] title["app/a.py"] *}',
        '{!../../../../etc/passwd!}',
        '\\{!kept!}',
      ].join('\n\n'),
      'site/pages/part.md': '---\ntitle: Part\n---\none\ntwo\n',
      'code/a.py': 'first()\nsecond()\nthird()\n',
    })

    const markdown = site.pages.find(({ path }) => path === '/')?.markdown
    expect(markdown).toBe(
      [
        '```py\nfirst()\nsecond()\nthird()\n```',
        '- item\n\n  ```py\n  first()\n  third()\n  ```',
        'Before two after',
        '```py app/a.py\nsecond()\nthird()\n```',
        '{!kept!}',
      ].join('\n\n'),
    )
    expect(site.findings).toMatchObject([
      { rule: 'snippet-missing', message: expect.stringContaining('folder of the site') },
    ])
  })

  it('leaves marks alone where no extension reads them', async () => {
    const site = await readTestSite({ 'mkdocs.yml': '', 'docs/index.md': 'The mark `{!x!}` and {!y!}' })

    expect(site.pages[0]?.markdown).toBe('The mark `{!x!}` and {!y!}')
    expect(site.findings).toEqual([])
  })

  it('reads snippet blocks, open line ranges and snippets that end every page', async () => {
    const site = await readTestSite({
      'mkdocs.yml':
        'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n      auto_append: [end.md]\n',
      'docs/index.md':
        '--8<--\na.md\n; b.md\n--8<--\n\n--8<-- "b.md:2"\n\n--8<-- "b.md::1"\n\n--8<-- "https://a.b/c.md"\n',
      'parts/a.md': 'A',
      'parts/b.md': 'B1\n\nB2\n',
      'parts/end.md': 'End\n\n*[HTML]: Hyper Text\n',
    })

    expect(site.pages[0]?.markdown).toBe('A\n\nB2\n\nB1\n\nEnd')
    expect(site.findings).toMatchObject([{ message: expect.stringContaining('is not fetched') }])
  })

  it('reads blocks between slashes as admonitions and tabs, nested and with options', async () => {
    const site = await readTestSite({
      'mkdocs.yml': '',
      'docs/index.md': [
        '/// note | Heads up\nFirst.\n///',
        '//// tab | npm\n\n/// tip\nInner.\n///\n\n////',
        '/// details | More\n    type: warning\n    open: true\n\nHidden.\n///',
        '/// html | div.wide\nPlain.\n///',
        '/// unclosed\nText.',
        '```cs\n/// note\n///\n```',
      ].join('\n\n'),
    })

    expect(site.pages[0]?.markdown).toBe(
      [
        '**Note: Heads up**\n\nFirst.',
        '**npm**\n\n**Tip:**\n\nInner.',
        '**Warning: More**\n\nHidden.',
        'Plain.',
        '/// unclosed\nText.',
        '```cs\n/// note\n///\n```',
      ].join('\n\n'),
    )
  })

  it('fills in variables of the macros plugin, and leaves other expressions', async () => {
    const site = await readTestSite({
      'mkdocs.yml': 'INHERIT: base.yml\nplugins: [macros]\nextra:\n  version: 2.1\n',
      'base.yml': 'site_name: Kiosk\nextra:\n  version: 1\n  host: { name: example.com }\n',
      'docs/index.md': '{{ version }} {{ host.name }} {{ config.site_name }} {{ now() }} [x]({{ url }}/a)',
    })

    expect(site.pages[0]?.markdown).toMatch(/^2\.1 example\.com Kiosk \{\{ now\(\) \}\}/)
    expect(site.findings).toEqual([])
  })

  it('gives blog posts the addresses of the blog plugin, and leaves out drafts', async () => {
    const site = await readTestSite({
      'mkdocs.yml':
        'plugins:\n  - blog:\n      post_url_format: "{date}/{categories}/{slug}"\n      post_url_date_format: yyyy/M\n',
      'docs/index.md': '[post](blog/posts/a.md) [list](/blog/category/news/)',
      'docs/blog/posts/a.md': '---\ndate: 2024-08-09\ncategories: [Big News]\n---\n# What’s new, Zoë?\n',
      'docs/blog/posts/b.md': '---\ndate:\n  created: 2024-11-30\nslug: mine\n---\n# B\n',
      'docs/blog/posts/c.md': '---\ndate: 2024-11-30\ndraft: true\n---\n# C\n',
    })

    expect(site.pages.map(({ path }) => path)).toEqual([
      '/',
      '/blog/2024/8/big-news/whats-new-zoë',
      '/blog/2024/11/mine',
    ])
    expect(site.pages[0]?.markdown).toContain('[post](/blog/2024/8/big-news/whats-new-zoë)')
    expect(site.findings).toEqual([])
  })

  it('includes parts of files by tags of the include-markdown plugin, relative to the page', async () => {
    const site = await readTestSite({
      'mkdocs.yml': 'plugins: [include-markdown]\n',
      'README.md': 'Badge\n<!--start-->\nWhat it does.\n<!--end-->\nLicense\n',
      'docs/index.md':
        'Text.\n\n{%\n  include-markdown "../README.md"\n  start="<!--start-->"\n  end="<!--end-->"\n%}\n\n{% if x %}',
    })

    expect(site.pages[0]?.markdown).toBe('Text.\n\nWhat it does.\n\n{% if x %}')
    expect(site.findings).toEqual([])
  })

  it('drops the statements of the macros plugin, and keeps what they enclose', async () => {
    const site = await readTestSite({
      'mkdocs.yml': 'plugins: [macros]\nextra: {port: 80}\n',
      'docs/index.md':
        '{% set x = 1 %}\nOn {% if port > 1 %}port {{ port }}{% else %}none{% endif %}, `{{ other() }}`.',
    })

    expect(site.pages[0]?.markdown).toBe('On port 80none, `{{ other() }}`.')
  })
})

it('writes keys, highlights, edits, raised letters and symbols as readers see them, where the extension is on', async () => {
  const lines = [
    'Press ++ctrl+alt+arrow-up++ or ++"My Key"++, not `++a++`.',
    '==Marked **words**== and a == b.',
    'An {--old--}{++new++} {~~bad~>good~~} {==word==}{>>why<<}.',
    'x^2^ of ^^inserted^^ H~2~O ~~gone~~.',
    '(c) a --> b <!-- (c) -->',
    '`#!python print()` and `:::js x`',
    '[=75% "Three quarters"]',
  ]
  const names = 'keys mark critic caret tilde smartsymbols inlinehilite progressbar'.split(' ')
  const readWith = async (extensions: readonly string[]) => {
    const list = extensions.map((name) => `\n  - pymdownx.${name}`).join('')
    const { pages } = await readTestSite({
      'mkdocs.yml': `site_name: X${list === '' ? '' : `\nmarkdown_extensions:${list}`}`,
      'docs/index.md': lines.join('\n\n'),
    })
    return pages[0]?.markdown ?? ''
  }

  expect((await readWith(names)).split('\n\n')).toEqual([
    'Press Ctrl+Alt+Arrow Up or My Key, not `++a++`.',
    'Marked **words** and a == b.',
    'An new good word.',
    'x² of inserted H2O ~~gone~~.',
    expect.stringMatching(/^\(c\) a/),
    '`print()` and `x`',
    '75% Three quarters',
  ])
  expect(await readWith([])).toContain('++ctrl+alt+arrow-up++')
})

it('counts no icons, classes or comments of editors as words that a page lacks', async () => {
  const source =
    '{>>A comment of many words here<<} :material-account-circle: [Go](index.md){ .md-button .wide-one }\n\nText.'
  const { check } = await readTestSite({
    'mkdocs.yml': 'site_name: X\nmarkdown_extensions:\n  - pymdownx.critic',
    'docs/index.md': source,
  })

  expect(check.words.worst).toMatchObject({ percent: 100 })
})
