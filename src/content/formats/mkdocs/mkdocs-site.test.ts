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
  'manual/guide/first.md': '# First { #top }\n\n[back](../setup.md) [img](img/a.png)\n\n## Go {: #start .wide }\n',
  'manual/drafts/secret.md': '# Secret',
  'manual/quiet.md': '---\nsearch:\n  exclude: true\n---\n# Quiet',
}

describe('readSite of a MkDocs project', () => {
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
})
