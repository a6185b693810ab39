import { describe, expect, it } from 'vitest'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { readChangedFiles } from '../checks/changed-files.ts'
import { readStateBefore } from '../checks/site-state.ts'
import { checkWalls } from './check-walls.ts'

const { signal } = new AbortController()
const sizeOf = 64_000

async function judge(files: Record<string, string>, path: string, text: string) {
  const before = createMemoryTree(files)
  const { outline } = await readStateBefore(before, signal)
  const after = createMemoryTree({ ...files, [path]: text })
  const changed = await readChangedFiles({ before, after, changedPaths: [path] }, signal)
  const { user } = process.cpuUsage()
  const problems = await checkWalls({ outline, files: changed, renamed: new Map(), allowed: [] }, signal)
  return { rules: problems.map(({ rule }) => rule), ms: (process.cpuUsage().user - user) / 1_000 }
}

const mintlify = { 'docs.json': '{"name":"S","navigation":{"pages":["a"]}}', 'a.mdx': '# A\n' }
const mkdocs = { 'mkdocs.yml': 'site_name: S\nplugins: [macros]\nnav: [a.md]\n', 'docs/a.md': '# A\n' }
/** Without the guard, each takes one to fifty seconds, or minutes. */
const slow: [string, Record<string, string>, string, string][] = [
  ['braces that never parse', mintlify, 'a.mdx', '{% raw %}\n\n'],
  ['braces that never parse on one line', mintlify, 'a.mdx', '{% endraw %} '],
  ['module code that goes on', mintlify, 'a.mdx', 'export const a = [\n\n'],
  ['paragraphs of one letter', mintlify, 'a.mdx', '>\n\n'],
  ['nested lists', mkdocs, 'docs/a.md', '- a\n  - b\n'],
  ['stars', mkdocs, 'docs/a.md', `${'/*'.repeat(2_400)}\n\n`],
  ['brackets in configuration', mkdocs, 'mkdocs.yml', ']'],
  ['keys of configuration', mkdocs, 'mkdocs.yml', '[a]: b\n'],
]

describe('a page that is slow to parse', () => {
  it.each(slow)('is refused at once: %s', async (_name, files, path, unit) => {
    const { rules, ms } = await judge(files, path, unit.repeat(sizeOf / unit.length))

    expect(rules).toEqual([path.endsWith('.yml') ? 'config-changed' : 'code-added'])
    // About ten times what it takes, for busy machines.
    expect(ms).toBeLessThan(1_000)
  })

  it.each(['`', '~', '{', '}', '<', '[', '&', '$', '|', '"', '{{', '{%'])(
    'is judged in linear time: a run of %s',
    async (mark) => {
      expect((await judge(mkdocs, 'docs/a.md', mark.repeat(sizeOf / mark.length))).ms).toBeLessThan(1_000)
    },
  )

  it('may be edited if it was like that before', async () => {
    const long = '- a\n  - b\n'.repeat(600)

    expect((await judge(mkdocs, 'docs/a.md', long)).rules).toEqual(['code-added'])
    expect((await judge({ ...mkdocs, 'docs/a.md': long }, 'docs/a.md', `${long}- c\n`)).rules).toEqual([])
  })

  it('is not one of ordinary size', async () => {
    const row = '| `name` | **string** | The _name_ of a `{thing}`. |\n'
    const value = '<Card data={[{ a: { b: 1 } }, { a: { b: 2 } }]} />\n\n'
    const list = '- An item of a list that says what somebody may want to know about `some_name`.\n'
    const page = `# A\n\n| a | b | c |\n|-|-|-|\n${row.repeat(300)}\n${list.repeat(300)}\n${value.repeat(200)}`

    expect((await judge(mintlify, 'a.mdx', page.replaceAll('{thing}', 'thing'))).rules).toEqual([])
  })
})

it('refuses configuration that is nested too deeply to be read', async () => {
  const deep = `{"name":"S","navigation":{"pages":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`

  expect((await judge(mintlify, 'docs.json', deep)).rules).toEqual(['config-changed'])
})

it('reads YAML whose keys are maps without writing them out again and again', async () => {
  const { ms } = await judge(mkdocs, 'mkdocs.yml', '{'.repeat(400))

  expect(ms).toBeLessThan(1_000)
})
