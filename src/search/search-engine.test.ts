import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { SitePage } from '../content/site-page.ts'
import { noMetrics } from '../telemetry/metrics.ts'
import { buildIndexFile } from './index-file/build-index-file.ts'
import { createSearchEngine, type SearchEngine, type SearchEngineOptions } from './search-engine.ts'
import type { SearchIndex, SearchQuery } from './search-query.ts'
import { makeTestInput, makeTestPage, makeTestQuery, outsider } from '../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-engine-test-'))
const shared = createSearchEngine({ threads: 1 })
const engines: SearchEngine[] = []
let files = 0

const newFile = () => join(folder, `${++files}.sqlite`)

function startEngine(options: SearchEngineOptions = {}): SearchEngine {
  const engine = createSearchEngine({ threads: 1, ...options })
  engines.push(engine)
  return engine
}

async function openSite(pages: SitePage[], header: Parameters<typeof makeTestInput>[1] = {}): Promise<SearchIndex> {
  const file = newFile()
  buildIndexFile(file, makeTestInput(pages, header))
  return shared.open(file)
}

const install = makeTestPage(
  '/guides/install',
  'Installation',
  'Install the command line tool with npm.\n\nUpgrade it later.',
  {
    section: ['Guides'],
  },
)
const deploy = makeTestPage('/guides/deploy', 'Deployment', 'Deploy the site behind a proxy.', { section: ['Guides'] })
const limits = makeTestPage('/api/limits', 'Rate limits', 'Set max_tokens with the --max-tokens flag, or get E429.', {
  tag: 'api',
})

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
})
afterAll(async () => {
  await shared.close()
  rmSync(folder, { recursive: true, force: true })
})

it('finds what a page says in other words for answers, below pages with the words themselves', async () => {
  const redact = makeTestPage('/redact', 'Redaction', 'Redact a field of the log.')
  const hide = makeTestPage('/menu', 'Menu', 'Hide the menu of a field.')
  const index = await openSite([redact, hide, limits])
  const find = async (query: object) => {
    const found = await index.search({ ...makeTestQuery('hide'), ...query })
    return found.map(({ path }) => path)
  }

  expect(await find({ isForAnswer: true })).toEqual(['/menu', '/redact'])
  expect(await find({})).toEqual(['/menu'])
})

it('begins with the first passage of a page that the query names and says nothing else about', async () => {
  const filler = 'It prints labels of many kinds on paper of any width. '.repeat(12)
  const sections = ['Plum on Linux', 'Plum on a server'].map(
    (title) => `## ${title}\n\nPlum starts. Plum stops. ${filler}`,
  )
  const home = makeTestPage('/', 'Plum', [`Plum is a printer for labels. ${filler}`, ...sections].join('\n\n'))
  const index = await openSite([home, install, deploy])

  const [first] = await index.search(makeTestQuery('What is Plum?'))

  expect(first?.content).toContain('Plum is a printer')
})

it('counts the terms of a question in the search for its answer', async () => {
  const kinds: unknown[] = []
  const metrics = { ...noMetrics, observe: (_: string, labels: object) => void kinds.push(labels) }
  const file = newFile()
  buildIndexFile(file, makeTestInput([install, deploy]))
  const index = await startEngine({ metrics }).open(file)
  const query = makeTestQuery('how do I instal the tool?')
  const apart = await index.countTerms(query)

  await index.search({ ...query, isForAnswer: true })
  const together = await index.countTerms({ ...query, isForAnswer: true })

  expect(together).toEqual(apart)
  expect(kinds).toEqual([{ kind: 'count-terms' }, { kind: 'search' }])
})

describe('building and asking', () => {
  it('finds what was built and says where it stands', async () => {
    const index = await openSite([install, deploy, limits])

    const [best] = await index.search(makeTestQuery('how do I install the tool?'))

    expect(index.header).toMatchObject({ siteName: 'Test', revision: 'r1', pageCount: 3, chunkCount: 4 })
    expect(best).toMatchObject({ path: '/guides/install', anchor: 'part-0', title: 'Installation', version: null })
    expect(best?.content).toBe('Install the command line tool with npm.')
    expect(best?.score).toBeGreaterThan(0.5)
  })

  it.each([
    ['maxTokens', '/api/limits'],
    ['--max-tokens', '/api/limits'],
    ['E429', '/api/limits'],
    ['deploying behind proxies', '/guides/deploy'],
    ['instalation', '/guides/install'],
    ['api/limits', '/api/limits'],
  ])('finds %s on %s', async (text, path) => {
    const index = await openSite([install, deploy, limits])

    const passages = await index.search(makeTestQuery(text))

    expect(passages[0]?.path).toBe(path)
  })

  it('scores a question low that shares one common word with the site', async () => {
    const index = await openSite([install, deploy, limits])

    const [stranger] = await index.search(makeTestQuery('which mushrooms grow behind oak trees in autumn'))

    expect(stranger?.score ?? 0).toBeLessThan(0.3)
  })

  it('leaves out what is below the threshold', async () => {
    const index = await openSite([install, deploy, limits])

    const all = await index.search(makeTestQuery('deploy the tool behind a proxy'))
    const some = await index.search(makeTestQuery('deploy the tool behind a proxy', { scoreThreshold: 0.5 }))

    expect(all.length).toBeGreaterThan(some.length)
    expect(some.every(({ score }) => score >= 0.5)).toBe(true)
  })

  it('answers a repeated query with results that the first caller cannot change', async () => {
    const index = await openSite([install])
    const first = await index.search(makeTestQuery('install'))
    const copy = structuredClone(first)

    first[0]?.headings.push('changed')
    if (first[0]) first[0].content = 'changed'

    expect(await index.search(makeTestQuery('install'))).toEqual(copy)
  })

  it('finds nothing in a site without pages, and an empty query finds nothing', async () => {
    const empty = await openSite([])
    const full = await openSite([install])

    expect(await empty.search(makeTestQuery('install'))).toEqual([])
    expect(await full.search(makeTestQuery('  ?! '))).toEqual([])
    expect(await empty.listPages(outsider)).toEqual([])
  })

  it('finds Chinese and Japanese words inside their sentences', async () => {
    const index = await openSite([
      makeTestPage('/zh', '数据库', '如何连接数据库集群。', { language: 'cn' }),
      makeTestPage('/ja', '設定', 'サーバーを再起動する方法。', { language: 'jp' }),
    ])

    const chinese = await index.search(makeTestQuery('连接集群', { filter: { language: 'cn' } }))
    const japanese = await index.search(makeTestQuery('再起動', { filter: { language: 'jp' } }))

    expect([chinese[0]?.path, japanese[0]?.path]).toEqual(['/zh', '/ja'])
  })
})

describe('reading pages', () => {
  it.each([
    '/guides/install',
    'guides/install',
    '/guides/install.mdx',
    '/guides/install.md#a',
    '/guides/install/',
    '/guides/install?x=1',
    '/guides/install.html',
    '/guides/install/index.html',
    '/en/guides/install',
    '/base/guides/install/',
    'https://docs.example.com/base/pt-BR/guides/install.html?x=1#a',
  ])('takes %s for the page', async (path) => {
    const index = await openSite([install], { basePath: '/base' })

    expect(await index.readPage(path, outsider)).toMatchObject({ path: '/guides/install', markdown: install.markdown })
  })

  it('takes no part of an address for a language that is none', async () => {
    const index = await openSite([install])

    expect(await index.readPage('/ui/guides/install', outsider)).toBeNull()
  })

  it('lists pages in navigation order, without their text', async () => {
    const index = await openSite([limits, install, deploy])

    const pages = await index.listPages(outsider)

    expect(pages.map(({ path }) => path)).toEqual(['/api/limits', '/guides/install', '/guides/deploy'])
    expect(pages[0]).not.toHaveProperty('markdown')
  })
})

describe('any input', () => {
  it('never throws for a text, and obeys limit, filter and order', async () => {
    const index = await openSite([install, deploy, limits])
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '"install" AND (proxy',
        'title:install*',
        "'; DROP TABLE page; --",
        'NEAR(install, 2)',
        '\u0000',
        '-'.repeat(5000),
      ),
    )

    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 50 }), async (text, limit) => {
        const found = await index.search(makeTestQuery(`${text} install`, { limit, filter: { pathPrefix: '/guides' } }))

        expect(found.length).toBeLessThanOrEqual(limit)
        expect(found.every(({ path }) => path.startsWith('/guides'))).toBe(true)
        expect(found.every(({ score }) => score > 0 && score <= 1)).toBe(true)
        expect(found.map(({ score }) => score)).toEqual(
          found.map(({ score }) => score).sort((one, other) => other - one),
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('files', () => {
  it('answers from the old file while a new one takes its name', async () => {
    const file = newFile()
    const engine = startEngine()
    buildIndexFile(file, makeTestInput([install]))
    const old = await engine.open(file)

    buildIndexFile(file, makeTestInput([deploy]))
    const fresh = await engine.open(file)

    expect((await old.search(makeTestQuery('install'))).length).toBeGreaterThan(0)
    expect(await old.search(makeTestQuery('proxy'))).toEqual([])
    expect((await fresh.search(makeTestQuery('proxy'))).length).toBeGreaterThan(0)
  })

  it('refuses a missing, a foreign and a cut file with a sentence', async () => {
    const engine = startEngine()
    const foreign = newFile()
    writeFileSync(foreign, 'not a database')

    await expect(engine.open(newFile())).rejects.toThrow(/cannot be opened.*again\.$/)
    await expect(engine.open(foreign)).rejects.toThrow(/damaged or is not an index\. Build it again\.$/)
  })

  it('leaves nothing behind when building fails', () => {
    const file = newFile()
    const input = makeTestInput([install])
    const chunkPage = () => {
      throw new Error('unreadable')
    }

    expect(() => buildIndexFile(file, { ...input, chunkPage })).toThrow('unreadable')
    expect(readdirSync(folder).filter((name) => name.startsWith(`${files}.sqlite`))).toEqual([])
  })
})

describe('threads', () => {
  it('rejects the requests of a dead thread with an explanation, and answers the next query', async () => {
    const file = newFile()
    buildIndexFile(file, makeTestInput([install]))
    const workers: Worker[] = []
    const startWorker = () => {
      const worker = new Worker(new URL('./workers/search-worker.ts', import.meta.url), { execArgv: [] })
      workers.push(worker)
      return worker
    }
    const index = await startEngine({ startWorker }).open(file)

    const owed = index.search(makeTestQuery('install'))
    const died = workers[0]?.terminate()

    await expect(owed).rejects.toThrow('Repeat the search.')
    await died
    expect((await index.search(makeTestQuery('install'))).length).toBeGreaterThan(0)
    expect(workers).toHaveLength(2)
  })

  it('replaces a thread that hangs', async () => {
    const file = newFile()
    buildIndexFile(file, makeTestInput([install]))
    const opened = JSON.stringify({ header: makeTestInput([]).header, stamp: 'x' })
    const hanging = `require('node:worker_threads').parentPort.once('message', ([{ id }]) => {
      require('node:worker_threads').parentPort.postMessage({ id, value: ${opened} }); for (;;); })`
    let started = 0
    const startWorker = () => (started++, new Worker(hanging, { eval: true }))
    const index = await startEngine({ startWorker, timeLimitMs: 200 }).open(file)

    await expect(index.search(makeTestQuery('install'))).rejects.toThrow('took longer than 200 ms')
    expect(started).toBe(2)
  })

  it('immediately refuses what exceeds the queue, and lets others take turns with the searches of answers', async () => {
    const opened = JSON.stringify({ header: makeTestInput([]).header, stamp: 'x' })
    // Accepts all requests but answers only `open`.
    const silent = `require('node:worker_threads').parentPort.on('message', (messages) => {
      for (const { id, request } of messages)
        if (request?.kind === 'open') require('node:worker_threads').parentPort.postMessage({ id, value: ${opened} }) })`
    const startWorker = () => new Worker(silent, { eval: true })
    const engine = startEngine({ startWorker, threads: 1, waitingMax: 3, timeLimitMs: 60_000 })
    const index = await engine.open(newFile())
    const ofAnswer = { ...makeTestQuery('install'), isForAnswer: true }
    const search = (query: SearchQuery) => index.search(query).catch((error: unknown) => error)
    // Four are sent to the thread, three wait.
    const flood = Array.from({ length: 7 }, () => search(ofAnswer))

    const tooMuch = await search(ofAnswer)
    const other = search(makeTestQuery('other'))
    const displaced = await flood[6]
    await engine.close()

    expect(tooMuch).toMatchObject({ code: 'overloaded' })
    expect(displaced).toMatchObject({ code: 'overloaded' })
    expect(await other).not.toMatchObject({ code: 'overloaded' })
    expect(await Promise.all(flood.slice(0, 6))).toHaveLength(6)
  })

  it('rejects a query whose caller has gone', async () => {
    const index = await openSite([install])
    const controller = new AbortController()

    const asked = index.search(makeTestQuery('install'), controller.signal)
    controller.abort(new Error('gone'))

    await expect(asked).rejects.toThrow('gone')
    await expect(index.search(makeTestQuery('install'), controller.signal)).rejects.toThrow('gone')
  })

  it('refuses queries of a closed index and of a closed engine with a sentence', async () => {
    const file = newFile()
    buildIndexFile(file, makeTestInput([install]))
    const engine = startEngine()
    const index = await engine.open(file)
    const other = await engine.open(file)

    await index.close()
    await expect(index.search(makeTestQuery('install'))).rejects.toThrow('This search index is closed. Open it again.')
    await engine.close()
    await expect(other.search(makeTestQuery('install'))).rejects.toThrow('The search engine is closed.')
  })
})
