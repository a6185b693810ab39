import { hash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres } from '../../../test/support/start-postgres.ts'
import { nameVectorFile } from '../../search/vectors/vector-file-format.ts'
import { type BlobStore, StoredBlobs } from '../../store/blobs/blobs.ts'
import { createDatabaseBlobs } from '../../store/blobs/database-blobs.ts'
import { setIndexBlob } from '../../store/sites/index-blobs.ts'
import { publishIndexGeneration, removeOldIndexGenerations } from '../../store/sites/index-generations.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun } from '../../store/sites/index-runs.ts'
import { openStore } from '../../store/open-store.ts'
import { freshId, seedSite } from '../../../test/store/store-samples.ts'
import type { Store } from '../../store/store.ts'
import { silentLog } from '../../telemetry/log.ts'
import { IndexCache, indexHeldMs, IndexUnavailableError } from './index-cache.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped indexes of several processes: ${server.unavailable}\n`)

const { signal } = new AbortController()

describe.skipIf('unavailable' in server)('the index files of a process', () => {
  let store: Store
  let indexFolder: string
  let workerFolder: string
  let siteId: string
  let now = Date.now()
  const clock = { now: () => now }
  const downloads: string[] = []
  let failure: Error | null = null

  beforeAll(async () => {
    store = await openStore({ databaseUrl: 'url' in server ? server.url : '', folder: tmpdir(), log: silentLog })
  }, 30_000)
  afterAll(async () => {
    await store.close()
    if ('stop' in server) await server.stop()
  }, 30_000)
  beforeEach(async () => {
    indexFolder = await mkdtemp(join(tmpdir(), 'docent-indexes-'))
    workerFolder = await mkdtemp(join(tmpdir(), 'docent-worker-'))
    siteId = (await seedSite(store)).id
    downloads.length = 0
    failure = null
  })
  afterEach(() => Promise.all([indexFolder, workerFolder].map((folder) => rm(folder, { recursive: true }))))

  function open(folder: string, bytesMax = 1_000_000): IndexCache {
    const stored = new StoredBlobs({ store, clock, contents: createDatabaseBlobs(store) })
    const blobs: BlobStore = {
      put: (file, putSignal) => stored.put(file, putSignal),
      get: (name, getSignal) => stored.get(name, getSignal),
      has: (name) => stored.has(name),
      delete: (name) => stored.delete(name),
      removeUnused: () => stored.removeUnused(),
      download(name, file, getSignal) {
        downloads.push(name)
        return failure === null ? stored.download(name, file, getSignal) : Promise.reject(failure)
      },
    }
    return new IndexCache({ store, blobs, clock, log: silentLog, indexFolder: folder, bytesMax })
  }

  /** Another process builds an index and publishes it. */
  async function publish(bytes = randomBytes(1_000)): Promise<{ id: string; file: string; bytes: Buffer }> {
    const id = `gen_${freshId()}`
    const generation = { id, file: `${id}.sqlite` }
    await writeFile(join(workerFolder, generation.file), bytes)
    const blob = await open(workerFolder).store(generation.file, signal)
    const run = { id: freshId(), siteId, cause: 'sync-requested', createdAt: 1 }
    await enqueueIndexRun(store.durable, run)
    const claimed = await claimIndexRun(store.durable, { now: 1, leaseUntil: 10, siteIds: [siteId] })
    if (claimed === null) throw new Error('The run was queued above.')
    const counts = { pageCount: 1, chunkCount: 1, findings: [], createdAt: now }
    await publishIndexGeneration(store.durable, claimed, { ...generation, siteId, revision: 'r', ...counts })
    await setIndexBlob(store.durable, { generationId: id, part: 'index', hash: blob.hash, model: null })
    await finishIndexRun(store.durable, { ...claimed, failure: null, finishedAt: 2 })
    return { ...generation, bytes }
  }

  it('are fetched once, completely, however many callers need one concurrently', async () => {
    const cache = open(indexFolder)
    const generation = await publish()

    const paths = await Promise.all(Array.from({ length: 8 }, () => cache.bring(generation)))
    await cache.bring(generation)

    expect(new Set(paths)).toEqual(new Set([join(indexFolder, generation.file)]))
    expect((await readFile(join(indexFolder, generation.file))).equals(generation.bytes)).toBe(true)
    expect(downloads).toEqual([hash('sha256', generation.bytes, 'hex')])
  })

  it('stay within their bound: the least recently used are evicted, and none in use', async () => {
    const cache = open(indexFolder, 2_500)
    const removed: string[] = []
    cache.onRemove((file) => removed.push(file))
    const [first, second, third, fourth] = [await publish(), await publish(), await publish(), await publish()]
    await cache.bring(first)
    now += 1_000
    await cache.bring(second)
    now += indexHeldMs
    cache.use(first.file)
    now += 1_000

    await cache.bring(third)
    const afterThird = await readdir(indexFolder)
    // All remaining files were used just now.
    await cache.bring(fourth)

    expect(removed).toEqual([second.file])
    expect(afterThird.toSorted()).toEqual([first.file, third.file].toSorted())
    expect((await readdir(indexFolder)).toSorted()).toEqual([first.file, third.file, fourth.file].toSorted())
    now += 2 * indexHeldMs
    await cache.trim()
    expect((await readdir(indexFolder)).toSorted()).toEqual([third.file, fourth.file].toSorted())
  })

  it('distinguish one that was never shared from one that cannot be fetched right now', async () => {
    const cache = open(indexFolder)
    const unshared = { id: `gen_${freshId()}`, file: 'gen_unshared.sqlite' }
    const generation = await publish()
    failure = new Error('the network is down')

    const path = await cache.bring(unshared)
    await expect(cache.bring(generation)).rejects.toThrow(IndexUnavailableError)
    failure = null
    await cache.bring(generation)

    expect(path).toBe(join(indexFolder, unshared.file))
    expect(await readdir(indexFolder)).toEqual([generation.file])
  })

  it('get their vectors once another process has made them, and newer ones after that', async () => {
    const cache = open(indexFolder)
    const worker = open(workerFolder)
    const generation = await publish()
    await cache.bring(generation)
    const vectors = nameVectorFile(generation.file)
    const share = async (text: string, model: string) => {
      await writeFile(join(workerFolder, vectors), text)
      await worker.shareVectors(generation, model, signal)
      now += 10_000
      await cache.fetchVectors(generation)
      return readFile(join(indexFolder, vectors), 'utf8')
    }

    await cache.fetchVectors(generation)
    const before = await readdir(indexFolder)

    expect(before).toEqual([generation.file])
    expect(await share('of one model', 'test/one')).toBe('of one model')
    expect(await share('of another', 'test/other')).toBe('of another')
    expect(await cache.findVectors(generation)).toMatchObject({ model: 'test/other' })
  })

  it('of deleted generations are removed, the newest are not', async () => {
    const cache = open(indexFolder)
    const [old, newest] = [await publish(), await publish()]
    await cache.bring(old)
    await cache.bring(newest)
    await removeOldIndexGenerations(store.durable, siteId, 1)
    now += 2 * indexHeldMs

    await cache.removeUnnamed()

    expect(await readdir(indexFolder)).toEqual([newest.file])
  })
})
