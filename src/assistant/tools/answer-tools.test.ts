import { describe, expect, it } from 'vitest'
import { type AssistantQuestion, readQuestion } from '../../contract/assistant-request.ts'
import type { IndexedPage, Reader, SearchIndex } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { noGuidance } from '../../store/sites/index-guidance.ts'
import { answerBounds, toolBounds } from '../answer-bounds.ts'
import type { ReadPage } from '../answer-pages.ts'
import { createAnswerTools } from './answer-tools.ts'

const signal = new AbortController().signal

function page(path: string, markdown: string, more: Partial<IndexedPage> = {}): IndexedPage {
  const place = { section: [], version: null, language: null, tag: null }
  const base = { title: path, description: '', ...place, isListed: true }
  return { ...base, path, markdown, ...more }
}

const pages = [
  page(
    '/install',
    '# Install\n\nUse `--force`.\n\n## Linux\n\nOn [Linux](https://evil.example).\n\n```\n# no heading\n```\n\n### Arch\n\nToo.\n\n## Mac\n\nNo.',
  ),
  page('/limits', 'The FORCE flag \u{200b}`--Force` is [limited](/install).'),
  page('/old', 'Old --force', { version: 'v1' }),
  page('/hidden', 'Not listed', { isListed: false }),
  page('/staff', 'Staff --force'),
]

/** Pages at `/staff` need the group `staff`, as in a real index. */
class MemoryIndex implements SearchIndex {
  readonly readers: Reader[] = []
  readonly header = {
    siteName: 'Kiosk',
    siteDescription: '',
    revision: 'r',
    defaultVersion: 'v2',
    defaultLanguage: null,
    analyzer: 'a',
    pageCount: 5,
    chunkCount: 5,
  }

  async search() {
    return []
  }

  async readImage() {
    return null
  }

  async explain() {
    return { terms: [], unknownTerms: [], hits: [], removed: [] }
  }

  async countTerms() {
    return { passages: 0, counts: {}, meant: {} }
  }

  async readPage(path: string, reader: Reader) {
    return this.#visible(reader).find((known) => known.path === path) ?? null
  }

  async readOrigins() {
    return null
  }

  async findAddress() {
    return { kind: 'unknown' as const, near: [] }
  }

  async listRedirects() {
    return []
  }

  async listPages(reader: Reader) {
    return this.#visible(reader)
  }

  async close() {}

  #visible(reader: Reader) {
    return pages.filter(({ path }) => path !== '/staff' || reader.readerGroups.includes('staff'))
  }
}

function setup(filter: AssistantQuestion['filter'] = {}, readerGroups: string[] = []) {
  const read: ReadPage[] = []
  const body = { fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Q' }] }], filter }
  const site: LiveSite = {
    id: 's',
    slug: 'docs',
    projectId: 'p',
    settings: {},
    name: 'Kiosk',
    url: 'https://docs.example.com',
    generation: {
      id: 'g',
      siteId: 's',
      number: 1,
      revision: 'r',
      file: 'f',
      pageCount: 5,
      chunkCount: 5,
      findings: [],
      createdAt: 0,
      selfCheck: null,
      isWaiting: false,
      icon: null,
    },
    commit: null,
    guidance: noGuidance,
    discrepancies: [],
    index: new MemoryIndex(),
  }
  const reader = { readerGroups, isSignedIn: readerGroups.length > 0 }
  const { all } = createAnswerTools({
    site,
    reader,
    question: readQuestion('v2', body),
    onRead: (some) => some.map((page) => read.push(page)),
  })
  const run = (name: string, input: Record<string, unknown>) => {
    const tool = all.find((some) => some.name === name)
    if (tool === undefined) throw new Error(`There is no tool ${name}.`)
    return tool.run(tool.inputSchema.parse(input), signal)
  }
  return { run, read, names: all.map(({ name }) => name) }
}

describe('read_page', () => {
  it('gives a page, gated, and makes it citable', async () => {
    const { run, read } = setup()

    const output = await run('read_page', { path: '/limits' })

    expect(output).toMatchObject({ path: '/limits', content: 'The FORCE flag `--Force` is [limited](/install).' })
    expect(read.map(({ path }) => path)).toEqual(['/limits'])
  })

  it('gives one section with those below it, by its heading or anchor', async () => {
    const { run } = setup()

    const content = '## Linux\n\nOn Linux.\n\n```\n# no heading\n```\n\n### Arch\n\nToo.'
    expect(await run('read_page', { path: '/install', heading: '#linux' })).toMatchObject({ content })
    expect(await run('read_page', { path: '/install', heading: 'BSD' })).toMatchObject({
      headings: ['Install', 'Linux', 'Arch', 'Mac'],
    })
  })

  it('reports a missing page if the reader or the request may not see it', async () => {
    const none = expect.stringContaining('There is no page')

    expect(await setup().run('read_page', { path: '/staff' })).toEqual(none)
    expect(await setup({ groups: ['other'] }, ['staff']).run('read_page', { path: '/staff' })).toEqual(none)
    expect(await setup().run('read_page', { path: '/old' })).toEqual(none)
    expect(await setup({}, ['staff']).run('read_page', { path: '/staff' })).toMatchObject({ content: 'Staff --force' })
    expect(await setup({ version: 'v1' }).run('read_page', { path: '/old' })).toMatchObject({ content: 'Old --force' })
  })
})

describe('list_pages', () => {
  it('lists what is in the navigation of this reader and version', async () => {
    const { run } = setup()

    const paths = (output: unknown) => (output as { pages: { path: string }[] }).pages.map(({ path }) => path)
    expect(paths(await run('list_pages', {}))).toEqual(['/install', '/limits'])
    expect(paths(await run('list_pages', { below: '/limits/' }))).toEqual(['/limits'])
    expect(await run('list_pages', { below: '/none' })).toContain('No page is listed')
  })
})

describe('grep', () => {
  it('finds literal text in any case, in the pages of this reader only', async () => {
    const { run, read } = setup()

    const output = await run('grep', { text: '--force' })

    expect(output).toMatchObject({ matches: [{ path: '/install' }, { path: '/limits' }], isComplete: true })
    expect(read.map(({ path }) => path)).toEqual(['/install', '/limits'])
    expect(await run('grep', { text: '--f.*' })).toBe('No page holds "--f.*".')
  })
})

it('tells an answer that has read too much to continue with what it has', async () => {
  const { run } = setup()
  const call = () => run('read_page', { path: '/install' })

  let output = await call()
  // The JSON size is counted approximately.
  const calls = 2 * Math.ceil(answerBounds.toolChars / JSON.stringify(output).length)
  for (let index = 0; index < calls; index++) output = await call()

  expect(output).toBe('No more can be read for this answer. Answer with what was read so far.')
  expect(toolBounds.pageChars).toBeLessThan(answerBounds.toolChars)
})

it('a request that is narrowed to a tag gets only the search', () => {
  expect(setup({ tag: 'api' }).names).toEqual(['search'])
  expect(setup().names).toEqual(['search', 'read_page', 'list_pages', 'grep'])
})
