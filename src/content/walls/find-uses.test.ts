import { expect, it } from 'vitest'
import { readStateBefore } from '../checks/site-state.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { findUses } from './find-uses.ts'

const { signal } = new AbortController()
const docs = (more: object) => JSON.stringify({ name: 'S', navigation: { pages: ['index', 'a'] }, ...more }, null, 1)

async function uses(files: Readonly<Record<string, string>>, removed: string): Promise<string[]> {
  const { outline } = await readStateBefore(createMemoryTree({ [removed]: 'Text.\n', ...files }), signal)
  const found = await findUses({ outline, after: createMemoryTree(files), removed: [removed] }, signal)
  return found.map(({ file, line }) => `${file}:${line}`)
}

it.each([
  ['images/a.png', '![A](/images/a.png)', true],
  ['images/a.png', '![A](./images/a.png "title")', true],
  ['images/a.png', '<img src="/images/a.png?v=2" />', true],
  ['images/a.png', '<Card img={"/images/a.png"} />', true],
  ['images/a.png', '[a]: <images/a.png>', true],
  ['public/images/a.png', '![A](/images/a.png)', true],
  ['images/a.png', 'The file images/a.png is no more.', false],
  ['images/a.png', '```md\n![A](/images/a.png)\n```', false],
  ['images/a.png', '![A](/images/aa.png)', false],
  ['snippets/note.mdx', 'import Note from "/snippets/note.mdx"\n\n<Note />', true],
  ['snippets/note.mdx', '<Snippet file="snippets/note.mdx" />', true],
  ['guides/b.mdx', '<Card href="/guides/b#x">B</Card>', true],
  ['guides/b.mdx', '[B](guides/b.mdx)', true],
  ['guides/b.mdx', 'title="guides b"', false],
])('%s: %j names it: %s', async (removed, text, isUsed) => {
  const files = { 'docs.json': docs({}), 'index.mdx': `Intro.\n\n${text}\n`, 'a.mdx': 'Text.\n' }

  expect((await uses(files, removed)).length > 0).toBe(isUsed)
})

it('counts entries of the navigation and targets of redirects, but not the address that a redirect replaces', async () => {
  const page = { 'index.mdx': 'Text.\n', 'a.mdx': 'Text.\n' }
  const redirect = (source: string, destination: string) =>
    uses({ ...page, 'docs.json': docs({ redirects: [{ source, destination }] }) }, 'guides/b.mdx')

  expect(await redirect('/old', '/guides/b')).toHaveLength(1)
  expect(await redirect('/guides/b', '/a')).toEqual([])
  const config = (redirects: string) => ({ ...page, 'docs.json': docs({}), 'astro.config.mjs': `x({ ${redirects} })` })
  expect(await uses(config("'/guides/b': '/a'"), 'guides/b.mdx')).toEqual([])
  expect(await uses(config("'/a': '/guides/b'"), 'guides/b.mdx')).toHaveLength(1)
  expect(
    await uses({ ...page, 'docs.json': docs({ navigation: { pages: ['guides/b'] } }) }, 'guides/b.mdx'),
  ).toHaveLength(1)
})
