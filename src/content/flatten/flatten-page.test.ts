import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FindingList } from '../finding-list.ts'
import { takeImages } from '../images/image-marks.ts'
import { flattenPage } from './flatten-page.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { cleanText } from '../trees/clean-text.ts'
import type { Finding } from '../site-page.ts'
import { createLibrary } from './source-library.ts'

const fixtures = path.join(import.meta.dirname, '../../../test/fixtures/content/flatten')

/** Flattens `guides/in.mdx` of a tree. */
async function flatten(
  files: Readonly<Record<string, string>>,
  page: { file: string; body: string },
): Promise<{ markdown: string; findings: Finding[] }> {
  const findings = new FindingList()
  const variables = new Map([
    ['version', '1.2.3'],
    ['product', 'Backup Cloud'],
  ])
  const library = createLibrary({ tree: createMemoryTree(files), findings }, { variables })
  const body = cleanText(page.body)
  const marked = await flattenPage(library, { file: page.file, path: '/guides/in', body, bodyLine: 0 })
  const { markdown } = takeImages(marked)
  return { markdown, findings: findings.list() }
}

function flattenMdx(body: string, files: Readonly<Record<string, string>> = {}) {
  return flatten(files, { file: 'guides/in.mdx', body })
}

/** Ten lists, each of ten times the one before. */
function repeatConstants(): string {
  const lists = Array.from({ length: 9 }, (_, n) => `export const l${n + 1} = [${`l${n}, `.repeat(10)}]`)
  return `export const l0 = [{ name: 'word' }]\n${lists.join('\n')}\n\n<List items={l9} />\n\n{l9.map((item) => item)}`
}

function readCase(folder: string): {
  files: Record<string, string>
  input: { file: string; body: string }
  output: string
} {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = path.join(entry.parentPath, entry.name)
    files[path.relative(folder, full)] = readFileSync(full, 'utf8')
  }
  const { 'in.mdx': mdx, 'in.md': md, 'out.md': output = '', ...others } = files
  const input = mdx === undefined ? { file: 'guides/in.md', body: md ?? '' } : { file: 'guides/in.mdx', body: mdx }
  return { files: others, input, output }
}

describe('flattenPage', () => {
  it('keeps a link whose text is its relative address, and takes a whole address for text', async () => {
    const { markdown } = await flattenMdx('[setup](setup) and [https://x.example](https://x.example)')

    expect(markdown).toBe('[setup](/guides/setup) and https://x.example')
  })

  it('labels each tab of a line with its own title', async () => {
    const { markdown } = await flattenMdx(
      "<Tabs items={['pnpm', 'npm']}><Tab>First</Tab><Tab>Second</Tab></Tabs>\n<Note>x</Note>",
    )

    expect(markdown).toContain('**pnpm**\n\nFirst\n\n**npm**\n\nSecond')
  })

  it('shows values that a page imports from modules, and no source of one that it imports as a component', async () => {
    const body =
      "import { plan } from '/snippets/plans.jsx'\nimport facts from '/snippets/facts.json'\nimport Box from '/snippets/box.jsx'\n\n" +
      '{plan.name} for {facts.price}, <Box title="Words of a box" /> {Box}\n\n<Link to="/start">Begin</Link>'

    const { markdown, findings } = await flattenMdx(body, {
      'snippets/plans.jsx': "export const plan = { name: 'Gold' }",
      'snippets/facts.json': '{ "price": "$5" }',
      'snippets/box.jsx': 'export default function Box() { return null }',
    })

    expect(markdown).toContain('Gold for $5, Words of a box')
    expect(markdown).toContain('[Begin](/start)')
    expect(markdown).not.toContain('return null')
    expect(findings).toEqual([])
  })

  it.each(readdirSync(fixtures))('turns the page of the case %s into its Markdown', async (name) => {
    const { files, input, output } = readCase(path.join(fixtures, name))

    const { markdown } = await flatten(files, input)

    expect(`${markdown}\n`).toBe(output)
  })

  it('reports a page that does not parse with line and reason, and keeps its text', async () => {
    const { markdown, findings } = await flattenMdx('First line.\n\n<Card title="Kept">\n\nText with {a b.\n')

    expect(markdown).toContain('Kept')
    expect(markdown).toContain('Text with {a b.')
    expect(findings).toMatchObject([{ file: 'guides/in.mdx', rule: 'page-unparsable', line: expect.any(Number) }])
  })

  it('reads a literal of thousands of lines', async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, row) => `  {\n    name: 'row${row}',\n    text: 'Words {in} braces',\n  },`,
    )

    const { markdown, findings } = await flattenMdx(`# Top\n\n<Table rows={[\n${rows.join('\n')}\n]} />\n\nEnd.`)

    expect(markdown).toContain('| row1999 | Words {in} braces |')
    expect(markdown).toContain('End.')
    expect(findings).toEqual([])
  })

  it('reports snippets that contain each other, and renders each once', async () => {
    const files = { 'a.mdx': 'import B from "/b.mdx"\n\nA\n\n<B />', 'b.mdx': 'import A from "/a.mdx"\n\nB\n\n<A />' }

    const { markdown, findings } = await flattenMdx('import A from "/a.mdx"\n\n<A />', files)

    expect(markdown).toBe('A\n\nB')
    expect(findings.map((finding) => finding.rule)).toEqual(['snippet-cycle'])
  })

  it('reports an import that names no file', async () => {
    const { findings } = await flattenMdx('import A from "../../etc/passwd"\nimport B from "./b.mdx"\n\nText.')

    expect(findings.map((finding) => finding.rule)).toEqual(['snippet-missing', 'snippet-missing'])
  })

  it('reports a code component that names no file, and reads no file outside the site', async () => {
    const { markdown, findings } = await flattenMdx(
      '<Snippet src="../../etc/passwd.txt" />\n\n<Snippet src="./a.ts" />',
    )

    expect(markdown).toBe('')
    expect(findings.map(({ rule }) => rule)).toEqual(['snippet-missing', 'snippet-missing'])
  })

  it('evaluates nothing', async () => {
    const body =
      'export const a = globalThis.touched = 1\n\n{globalThis.touched = 2}\n\n<Card title={globalThis.touched = 3}>x</Card>'

    const { markdown } = await flattenMdx(body)

    expect(markdown).toBe('x')
    expect(globalThis).not.toHaveProperty('touched')
  })

  it('stops expanding snippets that would grow to gigabytes', async () => {
    const files: Record<string, string> = { 's0.mdx': 'x'.repeat(1000) }
    for (let level = 1; level <= 9; level++) {
      files[`s${level}.mdx`] = `import S from "./s${level - 1}.mdx"\n\n${'<S />\n\n'.repeat(20)}`
    }

    const { markdown, findings } = await flattenMdx('import S from "/s9.mdx"\n\n<S />', files)

    expect(markdown.length).toBeLessThan(3_000_000)
    expect(findings.map((finding) => finding.rule)).toContain('snippet-budget-reached')
  })

  it('stops expanding constants that would grow to gigabytes', async () => {
    const { markdown, findings } = await flattenMdx(
      `export const a = "${'x'.repeat(90_000)}"\n\n${'{a}\n\n'.repeat(1000)}`,
    )

    expect(markdown.length).toBeLessThan(3_000_000)
    expect(findings.map((finding) => finding.rule)).toEqual(['page-too-large'])
  })

  it('reaches no prototype through the names of a page', async () => {
    const body =
      'export const a = { __proto__: "p", constructor: "c" }\n\n{a.__proto__} {a.constructor} {a.toString} {constructor} {__proto__.x}'

    const { markdown } = await flattenMdx(body)

    expect(markdown).toBe('p c')
  })

  it('omits components nested beyond the limit instead of failing', async () => {
    const { markdown, findings } = await flattenMdx(
      `Top.\n\n${'<A>\n'.repeat(300)}deep\n${'</A>\n'.repeat(300)}\n\nEnd.`,
    )

    expect(markdown).toContain('Top.')
    expect(markdown).toContain('End.')
    expect(findings.map((finding) => finding.rule)).toContain('page-nesting-too-deep')
  })

  it.each([
    ['emphasis', '*a **a '.repeat(20_000)],
    ['links', '[a]('.repeat(20_000)],
    ['quotes', `${'> '.repeat(5000)}a`],
    ['table cells', `${'|a'.repeat(50_000)}\n${'|-'.repeat(50_000)}`],
    ['underlined headings', 'a\n=\n\n'.repeat(20_000)],
    ['lines of one expression', `{1\n${'+ 1\n'.repeat(4000)}}`],
    ['unclosed braces', '{'.repeat(100_000)],
    ['unclosed tags', '<a '.repeat(30_000)],
    ['unclosed comments', '<!--'.repeat(50_000)],
    ['one long line', 'a'.repeat(1_000_000)],
    ['blanks', `# a${' '.repeat(200_000)}b\n\na${' '.repeat(200_000)}b\n\n| a${' '.repeat(200_000)}b |\n| --- |\n`],
    ['variables', '{{version}} '.repeat(80_000)],
    ['faults', '{a b}\n\n<c>\n\n'.repeat(1000)],
    ['faults in one expression', `{[\n${'{a: 1},\n'.repeat(900)}]}\n${'\n{a b}\n'.repeat(60)}`],
    ['literals that repeat each other', repeatConstants()],
  ])('reads a page of dense %s within seconds', { timeout: 120_000 }, async (_name, body) => {
    const before = process.threadCpuUsage()

    await flattenMdx(body)
    await flatten({}, { file: 'guides/in.md', body })

    // CPU time, because the machine may be busy.
    expect(process.threadCpuUsage(before).user).toBeLessThan(8_000_000)
  })

  it('takes any text as a page', { timeout: 60_000 }, async () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '{',
      '}',
      '`',
      '```\n',
      '\n',
      '\n\n',
      '# ',
      '- ',
      '  ',
      '*',
      '_',
      '[',
      '](',
      ')',
      '!',
      '|',
      '---',
      '$',
      '$$\n',
      '<A>',
      '</A>',
      '<b',
      'a="',
      '{/*',
      '*/}',
      '<!--',
      '&',
      '\\',
      'export const ',
      'import ',
      'text',
      ' ',
      '=',
      '\u200b',
      '😀',
      '>',
      '1. ',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    )

    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('guides/in.mdx', 'guides/in.md'), async (body, file) => {
        const { markdown } = await flatten({}, { file, body })

        expect(typeof markdown).toBe('string')
      }),
      { numRuns: 300 },
    )
  })
})
