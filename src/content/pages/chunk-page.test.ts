import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkCharsMax, chunkPage, mergedCharsMax } from './chunk-page.ts'
import type { SitePage } from '../site-page.ts'

function makePage(markdown: string, more: Partial<SitePage> = {}): SitePage {
  return {
    path: '/guides/backups',
    file: 'guides/backups.mdx',
    title: 'Backups',
    description: 'How to keep data.',
    markdown,
    section: [],
    order: 0,
    version: null,
    language: null,
    tag: null,
    keywords: [],
    groups: [],
    isPublic: true,
    isSearchable: true,
    isListed: true,
    boost: 1,
    ...more,
  }
}

const words = (count: number) => Array.from({ length: count }, (_value, index) => `word${index}`).join(' ')

describe('chunkPage', () => {
  it('makes a chunk of each section, with its heading path and id', () => {
    const long = words(120)

    const chunks = chunkPage(
      makePage(`Intro.\n\n## Restore\n\n${long}\n\n### Dry run\n\n${long}\n\n## Delete it\n\n${long}`),
    )

    expect(chunks.map(({ ordinal, anchor, headings }) => [ordinal, anchor, headings])).toEqual([
      [0, null, []],
      [1, 'restore', ['Restore']],
      [2, 'dry-run', ['Restore', 'Dry run']],
      [3, 'delete-it', ['Delete it']],
    ])
    expect(chunks.every((chunk) => chunk.pagePath === '/guides/backups')).toBe(true)
    expect(chunks[2]?.text).toBe(`### Dry run\n\n${long}`)
  })

  it('leaves the title of the page out of the headings', () => {
    const [chunk] = chunkPage(makePage('# Backups\n\n## Restore\n\nText.'))

    expect(chunk?.headings).toEqual(['Restore'])
  })

  it('does not merge the answers of questions', () => {
    const chunks = chunkPage(
      makePage('## Is it free?\n\nYes.\n\n## Is it fast?\n\nYes.\n\n## A\n\nText.\n\n## B\n\nText.'),
    )

    expect(chunks.map(({ anchor }) => anchor)).toEqual(['is-it-free', 'is-it-fast', 'a'])
  })

  it('merges small siblings, but not across levels', () => {
    const text = words(30)
    const page = makePage(
      `## A\n\n${text}\n\n## B\n\n${text}\n\n### B1\n\n${text}\n\n### B2\n\n${text}\n\n## C\n\n${text}`,
    )

    const chunks = chunkPage(page)

    expect(chunks.map((chunk) => [chunk.anchor, chunk.headings])).toEqual([
      ['a', ['A']],
      ['b1', ['B', 'B1']],
      ['c', ['C']],
    ])
    expect(chunks.every((chunk) => chunk.text.length <= mergedCharsMax)).toBe(true)
  })

  it('moves a heading without text to the next section', () => {
    const chunks = chunkPage(makePage('## Restore\n\n### Dry run\n\nText.'))

    expect(chunks).toMatchObject([{ anchor: 'dry-run', text: '## Restore\n\n### Dry run\n\nText.' }])
  })

  it('takes ids as written, else from the text', () => {
    const text = words(150)

    const page = makePage(`## A b\n\n${text}\n\n## A b {#a-b-1}\n\n${text}\n\n## C {#own-id}\n\n${text}`)

    expect(chunkPage(page).map((chunk) => chunk.anchor)).toEqual(['a-b', 'a-b-1', 'own-id'])
  })

  it('begins each part of a long table with its header', () => {
    const header = '| Name | Meaning |\n| --- | --- |\n'
    const rows = Array.from({ length: 120 }, (_, index) => `| \`option${index}\` | ${words(8)} |`)

    const chunks = chunkPage(makePage(`## Options\n\n${header}${rows.join('\n')}`))

    const [first, ...others] = chunks.map(({ text }) => text)
    expect(first).toContain(`## Options\n\n${header}| \`option0\``)
    expect(others.length).toBeGreaterThan(1)
    expect(others.filter((text) => text.startsWith(`${header}| \`option`))).toEqual(others)
    expect(others.every((text) => text.length <= chunkCharsMax)).toBe(true)
  })

  it('strips markup from headings', () => {
    const [chunk] = chunkPage(makePage('## The `run` [command](/run) in **bold** and snake_case\n\nText.'))

    expect(chunk?.headings).toEqual(['The run command in bold and snake_case'])
    expect(chunk?.anchor).toBe('the-run-command-in-bold-and-snake_case')
  })

  it('never splits a fenced block, however long', () => {
    const fence = `\`\`\`js\n${'const a = 1\n\n# not a heading\n'.repeat(200)}\`\`\``

    const chunks = chunkPage(makePage(`## A\n\n${words(200)}\n\n${fence}\n\n${words(200)}`))

    expect(chunks.filter((chunk) => chunk.text.includes('const a = 1')).map((chunk) => chunk.text)).toEqual([fence])
  })

  it('splits a long list of explained settings between them, and fences each part', () => {
    const settings = Array.from(
      { length: 80 },
      (_, n) => `# What setting ${n} is for, at some length.\nsetting${n}: ${n}`,
    )

    const chunks = chunkPage(makePage(`## All\n\n\`\`\`yaml\n${settings.join('\n\n')}\n\`\`\``))

    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.every(({ text }) => text.length <= chunkCharsMax && text.split('```').length === 3)).toBe(true)
    const all = chunks.map(({ text }) => text).join('\n')
    expect(settings.filter((setting) => !all.includes(setting))).toEqual([])
  })

  it('splits long paragraphs after a sentence and tables between rows', () => {
    const paragraph = 'Keep the backup safe. '.repeat(200).trim()
    const table = `| a | b |\n| --- | --- |\n${'| one | two |\n'.repeat(300)}`

    const chunks = chunkPage(makePage(`${paragraph}\n\n${table}`))

    expect(chunks.every((chunk) => chunk.text.length <= chunkCharsMax)).toBe(true)
    expect(chunks[0]?.text.endsWith('safe. ')).toBe(true)
    expect(
      chunks
        .at(-1)
        ?.text.split('\n')
        .filter((line) => line !== '')
        .every((line) => line.startsWith('|') && line.endsWith('|')),
    ).toBe(true)
  })

  it('finds a page without text by its description', () => {
    expect(chunkPage(makePage(''))).toEqual([
      { pagePath: '/guides/backups', ordinal: 0, anchor: null, headings: [], text: 'How to keep data.' },
    ])
  })

  it('contains all text of any page, in order, within the limits', () => {
    const piece = fc.constantFrom(
      '\n',
      '\n\n',
      '# ',
      '## A',
      '### ',
      '```\n',
      '~~~\n',
      '- ',
      '> ',
      'word ',
      'x'.repeat(900),
      'Sentence. '.repeat(150),
      '😀'.repeat(700),
      '|',
      '{#id}',
      '`',
    )
    const markdown = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
    )

    fc.assert(
      fc.property(markdown, (text) => {
        const chunks = chunkPage(makePage(text, { description: '', title: '' }))
        const bare = (value: string) => value.replace(/\s+/g, '')

        expect(bare(chunks.map((chunk) => chunk.text).join(''))).toBe(bare(text))
        expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_chunk, index) => index))
        for (const chunk of chunks) {
          expect(chunk.text.length <= chunkCharsMax || /```|~~~/.test(chunk.text)).toBe(true)
          expect(text.isWellFormed() ? chunk.text.isWellFormed() : true).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
