import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { embedWords } from '../../test/support/embedding-server.ts'
import type { SitePage } from '../content/site-page.ts'
import { buildIndexFile } from './index-file/build-index-file.ts'
import { makeChunkSet } from './index-file/chunk-set.ts'
import { embedIndexFile, type PassageEmbedder } from './vectors/embed-index-file.ts'
import { IndexFile } from './index-file/index-file.ts'
import { createSearchEngine } from './search-engine.ts'
import { searchIndexFile } from './search-index-file.ts'
import type { Passage, SearchQuery } from './search-query.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../test/support/search-test-site.ts'
import { VectorCache } from './vectors/vector-cache.ts'
import { nameVectorFile } from './vectors/vector-file-format.ts'
import { VectorIndex } from './vectors/vector-index.ts'
import { writeVectorFile } from './vectors/write-vector-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-by-meaning-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => join(folder, `${++files}.sqlite`)

/** Records the texts it is asked for, and fails from the given one on. */
function createEmbedder(options: { model?: string; dimensions?: number; failsAt?: number } = {}) {
  const asked: string[] = []
  const { model = 'test/words', dimensions, failsAt = Infinity } = options
  const embedder: PassageEmbedder = {
    model,
    async embed(_, texts, onEmbedded) {
      for (const [place, text] of texts.entries()) {
        if (asked.length >= failsAt) throw new Error('The provider is down.')
        asked.push(text)
        onEmbedded([place], [embedWords(text, dimensions)])
      }
      return []
    },
  }
  return { asked, embedder }
}

async function buildSite(pages: readonly SitePage[], cacheFile = newFile()) {
  const indexFile = newFile()
  buildIndexFile(indexFile, makeTestInput(pages))
  await embedIndexFile({ indexFile, cacheFile, embedder: createEmbedder().embedder })
  return { indexFile, cacheFile }
}

function searchByMeaning(indexFile: string, query: SearchQuery): Passage[] {
  const file = new IndexFile(indexFile)
  const vectors = new VectorIndex(file, nameVectorFile(indexFile))
  const question = Float32Array.from(embedWords(query.text))
  const passages = searchIndexFile(file, query, { meaning: { vectors, question } })
  vectors.close()
  file.close()
  return passages
}

const leave = makeTestPage('/billing/leave', 'Terminate a membership', 'Open the billing page and choose Quit.')
const pay = makeTestPage('/billing/pay', 'Invoices', 'Download invoices of every month as PDF.')
const printers = makeTestPage('/guides/printers', 'Printers', 'Connect printers with a cable.')

describe('searching by meaning', () => {
  it('finds passages without a word of the query, and still those with one', async () => {
    const { indexFile } = await buildSite([pay, printers, leave])

    const byWords = new IndexFile(indexFile)
    expect(searchIndexFile(byWords, makeTestQuery('cancel my subscription'))).toEqual([])
    byWords.close()

    expect(searchByMeaning(indexFile, makeTestQuery('cancel my subscription'))[0]?.path).toBe('/billing/leave')
    expect(searchByMeaning(indexFile, makeTestQuery('connect printers'))[0]?.path).toBe('/guides/printers')
  })

  it('finds nothing outside the filter and nothing that is hidden from the reader', async () => {
    const hidden = { ...leave, path: '/staff/leave', groups: ['staff'] }
    const { indexFile } = await buildSite([pay, printers, leave, hidden, { ...leave, path: '/old/leave', tag: 'old' }])
    const ask = (rest: Partial<SearchQuery>) =>
      searchByMeaning(indexFile, makeTestQuery('cancel my subscription', rest)).map(({ path }) => path)

    expect(ask({ filter: { tag: 'old' } })).toEqual(['/old/leave'])
    expect(ask({ filter: { pathPrefix: '/guides' } })).not.toContain('/billing/leave')
    expect(ask({})).not.toContain('/staff/leave')
    expect(ask({ readerGroups: ['staff'], isSignedIn: true })).toContain('/staff/leave')
  })

  it('gives outsiders the same passages and scores with and without hidden pages', async () => {
    const word = fc.constantFrom('cancel', 'quit', 'plan', 'invoice', 'printer', 'cable', 'billing', 'month')
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
    const page = fc.record({ title: text, text, access: fc.constantFrom('open', 'group', 'private') })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 2, maxLength: 12 }), text, async (pages, query) => {
        const site = pages.map(({ title, text, access }, place) =>
          makeTestPage(`/page-${place}`, title, `${text}\n\n${title} ${text}`, {
            groups: access === 'group' ? ['staff'] : [],
            isPublic: access !== 'private',
          }),
        )
        const open = site.filter(({ groups, isPublic }) => groups.length === 0 && isPublic)
        fc.pre(open.length > 0)

        const [all, public_] = [await buildSite(site), await buildSite(open)]

        expect(searchByMeaning(all.indexFile, makeTestQuery(query))).toEqual(
          searchByMeaning(public_.indexFile, makeTestQuery(query)),
        )
      }),
      { numRuns: 15 },
    )
  })

  it('compares exactly in a small set, and finds nearly all of the nearest of a large one', () => {
    const random = createRandom(7)
    const dimensions = 128
    const centres = Array.from({ length: 40 }, () => randomVector(random, dimensions))
    const near = (centre: readonly number[]) => centre.map((value) => value + 0.8 * (random() - 0.5))
    const vectors = Array.from({ length: 6_000 }, (_, place) => near(centres[place % centres.length] ?? []))
    const page = makeTestPage('/a', 'A', vectors.map((_, place) => `Part ${place}`).join('\n\n'))
    const indexFile = newFile()
    buildIndexFile(indexFile, makeTestInput([page]))
    const asked = listCosines(vectors, near(centres[3] ?? []))

    const { findNearest, close } = openVectors(indexFile, vectors)
    const recall = findNearest(asked.question, () => true).filter((chunk) => asked.nearest.includes(chunk)).length
    const others = findNearest(asked.question, (chunk) => chunk % 2 === 0)
    const small = findNearest(asked.question, (chunk) => chunk % 8 === 3)
    close()

    expect(recall).toBeGreaterThanOrEqual(47)
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((chunk) => chunk % 2 !== 0)).toEqual([])
    const exact = asked.all.filter((chunk) => chunk % 8 === 3).slice(0, 50)
    expect(small.filter((chunk) => exact.includes(chunk)).length).toBeGreaterThanOrEqual(47)
    expect(small.every((chunk) => chunk % 8 === 3)).toBe(true)
    expect(small[0]).toBe(exact[0])
  })
})

/** The vectors of an index with these, one per chunk. */
function openVectors(indexFile: string, vectors: readonly (readonly number[])[]) {
  const index = new IndexFile(indexFile)
  const cache = new VectorCache(newFile(), 'test/given')
  cache.put(vectors.map((vector, chunk) => ({ hash: Buffer.from(`${chunk}`), vector })))
  writeVectorFile({
    index,
    indexFile,
    model: 'test/given',
    dimensions: vectors[0]?.length ?? 0,
    getVector: (chunk) => cache.get(Buffer.from(`${chunk}`)),
  })
  cache.close()
  const opened = new VectorIndex(index, nameVectorFile(indexFile))
  return {
    findNearest: (question: Float32Array, isWanted: (chunk: number) => boolean) => {
      const set = makeChunkSet(Uint8Array.from(vectors, (_, chunk) => Number(isWanted(chunk))))
      return opened.findNearest(question, set, 50, () => 1).map(({ chunk }) => chunk)
    },
    close() {
      opened.close()
      index.close()
    },
  }
}

function listCosines(vectors: readonly (readonly number[])[], question: readonly number[]) {
  const measure = (vector: readonly number[]) => {
    const dot = vector.reduce((sum, value, place) => sum + value * (question[place] ?? 0), 0)
    return dot / Math.hypot(...vector)
  }
  const cosines = vectors.map(measure)
  const all = [...cosines.keys()].sort((one, other) => (cosines[other] ?? 0) - (cosines[one] ?? 0))
  return { question: Float32Array.from(question), all, nearest: all.slice(0, 50) }
}

const randomVector = (random: () => number, dimensions: number) =>
  Array.from({ length: dimensions }, () => random() - 0.5)

/** Reproducible on every machine. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function listOpenFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      // The descriptor of the folder itself, closed again.
      return []
    }
  })
}

describe('a model measured by the links of the site', () => {
  const count = 30
  const start = makeTestPage(
    '/start',
    'Start',
    Array.from({ length: count }, (_, at) => `[about kind${at} of topic](/topic${at})`).join('\n'),
  )
  const topics = Array.from({ length: count }, (_, at) =>
    makeTestPage(`/topic${at}`, `Number ${at}`, `About kind${at} of topic`),
  )

  /** Takes every question for one about the next topic, or for what it is about. */
  function createTopicEmbedder(shift: number) {
    const questions: string[] = []
    const embedder: PassageEmbedder = {
      model: `test/shifted-by-${shift}`,
      async embed(kind, texts, onEmbedded) {
        if (kind === 'question') questions.push(...texts)
        const vectors = texts.map((text) => {
          const topic = Number(/kind(\d+)/.exec(text)?.[1] ?? count) + (kind === 'question' ? shift : 0)
          return Array.from({ length: count + 1 }, (_, at) => (at === topic % count ? 1 : 0.01))
        })
        onEmbedded([...texts.keys()], vectors)
        return []
      },
    }
    return { questions, embedder }
  }

  async function embedTopics(shift: number, pages: readonly SitePage[], cacheFile = newFile()) {
    const indexFile = newFile()
    buildIndexFile(indexFile, makeTestInput(pages))
    const { questions, embedder } = createTopicEmbedder(shift)
    const { fusion } = await embedIndexFile({ indexFile, cacheFile, embedder })
    return { indexFile, cacheFile, questions, fusion, model: embedder.model }
  }

  it('is not used where it makes results worse, and no question is embedded then', async () => {
    const { indexFile, fusion, model } = await embedTopics(1, [start, ...topics])
    const embed = async () => {
      throw new Error('The vectors are not used.')
    }
    const engine = createSearchEngine({ threads: 1, questions: { model, embed } })
    const index = await engine.open(indexFile)

    const passages = await index.search(makeTestQuery('about kind7 of topic'))
    await engine.close()

    expect(fusion).toMatchObject({ weight: 0, measured: { queries: count } })
    expect(fusion?.measured?.fused).toBeLessThan((fusion?.measured?.words ?? 0) - 0.01)
    expect(passages.some(({ path }) => path === '/topic7')).toBe(true)
  })

  it('is used where it does not, and each link text is embedded once over generations', async () => {
    const first = await embedTopics(0, [start, ...topics])
    const changed = { ...start, markdown: `${start.markdown}\n[the newest kind29 of all](/topic29)` }
    const second = await embedTopics(0, [changed, ...topics], first.cacheFile)

    expect(first.fusion?.weight).toBeGreaterThanOrEqual(0.4)
    expect(first.questions).toHaveLength(count)
    expect(second.questions).toEqual(['the newest kind29 of all'])
  })

  it('is used with the usual weight on a site with few links', async () => {
    const { fusion } = await embedTopics(0, topics)

    expect(fusion).toEqual({ weight: 0.4, measured: null })
  })
})

describe('creating vectors', () => {
  it('asks for an unchanged passage once, over generations and for equal passages', async () => {
    const { cacheFile } = await buildSite([pay, printers, { ...printers, path: '/guides/copy' }, leave])
    const next = newFile()
    buildIndexFile(next, makeTestInput([{ ...pay, markdown: 'Invoices come by mail.' }, printers, leave]))
    const { asked, embedder } = createEmbedder()

    const result = await embedIndexFile({ indexFile: next, cacheFile, embedder })

    expect(asked).toEqual(['Invoices\n\nInvoices come by mail.'])
    expect(result).toMatchObject({ wasDone: false, embedded: 1, reused: 2, refused: 0 })
    expect(searchByMeaning(next, makeTestQuery('cancel my subscription'))[0]?.path).toBe('/billing/leave')
  })

  it('keeps what it has when the provider fails, and goes on from there', async () => {
    const [indexFile, cacheFile] = [newFile(), newFile()]
    buildIndexFile(indexFile, makeTestInput([pay, printers, leave]))
    const failing = createEmbedder({ failsAt: 2 })
    const going = createEmbedder()

    await expect(embedIndexFile({ indexFile, cacheFile, embedder: failing.embedder })).rejects.toThrow('down')
    expect(() => readFileSync(nameVectorFile(indexFile))).toThrow('ENOENT')
    await embedIndexFile({ indexFile, cacheFile, embedder: going.embedder })

    expect(failing.asked).toHaveLength(2)
    expect(going.asked).toHaveLength(1)
    expect(new Set([...failing.asked, ...going.asked]).size).toBe(3)
  })

  it('creates vectors once, and again if damaged or of another model', async () => {
    const { indexFile, cacheFile } = await buildSite([pay, printers])
    const again = createEmbedder()
    expect(await embedIndexFile({ indexFile, cacheFile, embedder: again.embedder })).toMatchObject({ wasDone: true })

    const bytes = readFileSync(nameVectorFile(indexFile))
    bytes.fill(7, bytes.length / 2, bytes.length / 2 + 8)
    writeFileSync(nameVectorFile(indexFile), bytes)
    expect(await embedIndexFile({ indexFile, cacheFile, embedder: again.embedder })).toMatchObject({ reused: 2 })
    expect(again.asked).toEqual([])

    const other = createEmbedder({ model: 'test/other' })
    expect(await embedIndexFile({ indexFile, cacheFile, embedder: other.embedder })).toMatchObject({ embedded: 2 })
  })

  it.skipIf(!existsSync('/proc/self/fd'))('leaves no file open that turned out to be damaged', async () => {
    const { indexFile } = await buildSite([pay, printers])
    const file = new IndexFile(indexFile)
    const vectors = nameVectorFile(indexFile)
    writeFileSync(vectors, readFileSync(vectors).subarray(0, -1))

    expect(() => new VectorIndex(file, nameVectorFile(indexFile))).toThrow(/damaged|vectors/)

    file.close()
    expect(listOpenFiles()).not.toContain(vectors)
  })

  it('starts over if vectors of the same model have changed length', async () => {
    const { cacheFile } = await buildSite([pay, printers])
    const next = newFile()
    buildIndexFile(next, makeTestInput([pay, printers, leave]))
    const shorter = createEmbedder({ dimensions: 32 })

    const result = await embedIndexFile({ indexFile: next, cacheFile, embedder: shorter.embedder })

    expect(result).toMatchObject({ embedded: 3, reused: 0 })
  })

  it('runs in one process at a time', async () => {
    const { indexFile, cacheFile } = await buildSite([pay])
    rmSync(nameVectorFile(indexFile))
    const held = new VectorCache(cacheFile, 'test/words')

    const second = embedIndexFile({ indexFile, cacheFile, embedder: createEmbedder().embedder })

    await expect(second).rejects.toMatchObject({ name: 'VectorCacheInUseError' })
    held.close()
  })

  it('leaves out pages that are not searched', async () => {
    const indexFile = newFile()
    buildIndexFile(indexFile, makeTestInput([pay, { ...leave, isSearchable: false }]))
    const { asked, embedder } = createEmbedder()

    await embedIndexFile({ indexFile, cacheFile: newFile(), embedder })

    expect(asked.join()).not.toContain('Terminate')
  })
})

describe('an open index', () => {
  const words = (text: string) => Promise.resolve(Float32Array.from(embedWords(text)))

  it('uses words alone until its vectors exist, and both from then on', async () => {
    const indexFile = newFile()
    buildIndexFile(indexFile, makeTestInput([pay, printers, leave]))
    let now = 0
    const clock = { now: () => now }
    const engine = createSearchEngine({ threads: 2, clock, questions: { model: 'test/words', embed: words } })
    const index = await engine.open(indexFile)
    const ask = async () => (await index.search(makeTestQuery('cancel my subscription'))).map(({ path }) => path)

    expect(await ask()).toEqual([])
    await embedIndexFile({ indexFile, cacheFile: newFile(), embedder: createEmbedder().embedder })
    now += 10_000

    await expect.poll(ask, { timeout: 20_000 }).toContain('/billing/leave')
    await engine.close()
  })

  it('uses words alone if a question has no usable vector, and retries the next time', async () => {
    const { indexFile } = await buildSite([pay, printers, leave])
    const replies = [null, new Float32Array(5).fill(1), await words('cancel my subscription')]
    const embed = () => Promise.resolve(replies.shift() ?? null)
    const engine = createSearchEngine({ threads: 1, questions: { model: 'test/words', embed } })
    const index = await engine.open(indexFile)
    const ask = async () => (await index.search(makeTestQuery('cancel my subscription', { limit: 1 }))).length

    expect(await ask()).toBe(0)
    // A vector of the wrong length is cached with its answer like any other.
    expect(await index.search(makeTestQuery('cancel my subscription'))).toEqual([])
    expect(await ask()).toBe(1)
    await engine.close()
  })

  it('does without vectors that are damaged or of another model, and says so once', async () => {
    const { indexFile } = await buildSite([pay, printers, leave])
    const lines: string[] = []
    const log = { warn: (_: object, event: string) => void lines.push(event) }
    const openAndAsk = async (model: string) => {
      const engine = createSearchEngine({ threads: 1, log, questions: { model, embed: words } })
      const index = await engine.open(indexFile)
      const found = await index.search(makeTestQuery('invoices'))
      await index.search(makeTestQuery('printers'))
      await engine.close()
      return found.length
    }

    expect(await openAndAsk('test/other')).toBe(1)
    expect(lines).toEqual([])

    writeFileSync(nameVectorFile(indexFile), readFileSync(nameVectorFile(indexFile)).subarray(0, 900))
    expect(await openAndAsk('test/words')).toBe(1)
    expect(lines).toEqual(['vectors-unreadable'])
  })
})
