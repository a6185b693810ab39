import { describe, expect, it } from 'vitest'
import { readSummary } from './mdbook-summary.ts'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const files = {
  'guide/book.toml':
    '[book]\ntitle = "Otter" # the tool\nsrc = \'text\'\nlanguage = "en"\n\n[output.html]\nsite-url = "/otter/"\n\n[output.html.redirect]\n"/old.html" = "start/install.html"\n',
  'guide/text/SUMMARY.md':
    '# Summary\n\n[Introduction](README.md)\n\n# User Guide\n\n- [Start](start/README.md)\n    - [Install `otter`](./start/install.md)\n- [Planned]()\n  - [Usage](usage.md)\n- [Gone](gone.md)\n\n---\n\n[Thanks](thanks.md)\n',
  'guide/text/README.md': '# Otter\n\nSee [install](start/install.md#from-source) or [usage](./usage.html).',
  'guide/text/start/README.md': '# Getting started',
  'guide/text/start/install.md':
    '# Installing\n\n## From source\n\n```rust\n{{#include ../../src/main.rs:open}}\n```\n\n{{#include ../parts/note.md}}\n\n{{#playground ../../src/main.rs editable}}\n\n```toml\n{{#include ../../src/main.rs:6:}}\n```\n\nWrite \\{{#include file.rs}} to include.',
  'guide/text/usage.md':
    '{{#title Using it}}\n# Usage\n\n> [!WARNING]\n> Mind the gap.\n\n```admonish tip title="Faster"\nUse `--fast`.\n```\n\n{{#tab name="Linux" }}\nRun apt.\n{{#endtab }}',
  'guide/text/thanks.md': '# Thanks',
  'guide/text/unlisted.md': '# Not published',
  'guide/text/parts/note.md': 'Needs {{#include version.txt}} or later.',
  'guide/text/parts/version.txt': '1.70\n',
  'guide/src/main.rs':
    'use otter;\n// ANCHOR: all\n// ANCHOR: open\n    let den = open();\n    // ANCHOR_END: open\nclose(den);\n// ANCHOR_END: all\n',
}

describe('readSite of an mdBook', () => {
  it('takes time that grows with the length of a line of its chapters', () => {
    const started = process.cpuUsage()

    readSummary(`${' '.repeat(200_000)}x`)

    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(1)
  })

  it('reads the chapters of SUMMARY.md at their addresses, below parts and the chapters above', async () => {
    const { name, pages, defaultLanguage } = await readTestSite(files)

    expect({ name, defaultLanguage }).toEqual({ name: 'Otter', defaultLanguage: 'en' })
    expect(pages.map(({ path, title, section }) => [path, title, ...section])).toEqual([
      ['/otter', 'Otter'],
      ['/otter/start', 'Getting started', 'User Guide'],
      ['/otter/start/install', 'Installing', 'User Guide', 'Start'],
      ['/otter/usage', 'Usage', 'User Guide', 'Planned'],
      ['/otter/thanks', 'Thanks', 'User Guide'],
    ])
  })

  it('reports chapters without a file, and no link that works', async () => {
    const { findings, check } = await readTestSite(files)

    expect(findings.map(({ rule, message }) => [rule, message.split(',')[0]])).toEqual([
      ['navigation-page-missing', 'SUMMARY.md refers to gone.md'],
    ])
    expect(check).toMatchObject({ links: { total: 2, working: 2 }, anchors: { total: 1, working: 1 } })
  })

  it('fills in files, lines and anchors, in code as well, and makes playgrounds code', async () => {
    const { pages } = await readTestSite(files)

    const { markdown = '' } = pages.find(({ path }) => path.endsWith('/install')) ?? {}
    expect(markdown).toContain('```rust\nlet den = open();\n```')
    expect(markdown).toContain('Needs 1.70 or later.')
    expect(markdown).toContain('```rust\nuse otter;')
    expect(markdown).toContain('```toml\nclose(den);')
    expect(markdown).toContain('Write {{#include file.rs}} to include.')
  })

  it('reads alerts, admonitions and tabs', async () => {
    const { pages } = await readTestSite(files)

    const { markdown = '' } = pages.find(({ path }) => path.endsWith('/usage')) ?? {}
    expect(markdown).toMatch(/Warning[^]*Mind the gap\.[^]*Tip: Faster[^]*> Use `--fast`\.[^]*\*\*Linux\*\*\nRun apt\./)
    expect(markdown).not.toContain('{{')
  })

  it('takes no long time for many small parts of a long file', async () => {
    const started = process.cpuUsage()

    const { pages, findings } = await readTestSite({
      'book.toml': '[book]\n',
      'src/SUMMARY.md': '- [A](a.md)\n',
      'src/a.md': `# A\n\n${'{{#include ../long.rs:3:4}}\n'.repeat(500)}`,
      'long.rs': 'x\n'.repeat(400_000),
    })

    expect(pages[0]?.markdown).toContain('x')
    expect(findings.map(({ rule }) => rule)).toEqual(['page-too-large'])
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(6)
  })
})
