import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BlobContents, BlobDamagedError, BlobMissingError, StoredBlobs } from '../../src/store/blobs/blobs.ts'
import { publishIndexGeneration } from '../../src/store/sites/index-generations.ts'
import { findIndexBlob, setIndexBlob } from '../../src/store/sites/index-blobs.ts'
import { claimIndexRun, enqueueIndexRun } from '../../src/store/sites/index-runs.ts'
import { emptyStore, freshId, seedSite } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'

export interface BlobHarness {
  store(): Store
  contents(): BlobContents
  /** Replaces stored bytes, as only something outside the service can. */
  damage(hash: string): Promise<void>
}

const hourMs = 60 * 60_000
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex')

/** The guarantees of blob contents, wherever the bytes are stored. */
export function declareBlobTests(harness: BlobHarness): void {
  let folder: string
  let now = 0
  const signal = new AbortController().signal

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-blobs-'))
    now = 1_000 * hourMs
    await emptyStore(harness.store())
    await harness.store().durable.deleteFrom('blobs').execute()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const open = () =>
    new StoredBlobs({ store: harness.store(), clock: { now: () => now }, contents: harness.contents() })

  async function write(bytes: Uint8Array): Promise<string> {
    const file = join(folder, freshId())
    await writeFile(file, bytes)
    return file
  }

  it.each([0, 1, 1024 * 1024, 2.5 * 1024 * 1024])('returns what was stored: %i bytes', async (size) => {
    const blobs = open()
    const bytes = Buffer.alloc(size, 'docent ')

    const stored = await blobs.put(await write(bytes), signal)
    await blobs.download(stored.hash, join(folder, 'back'), signal)

    expect(stored).toEqual({ hash: sha256(bytes), size })
    expect((await readFile(join(folder, 'back'))).equals(bytes)).toBe(true)
    expect(await blobs.has(stored.hash)).toBe(true)
  })

  it('stores content once, even with several concurrent puts', async () => {
    const blobs = open()
    const file = await write(Buffer.from('the same'))

    const stored = await Promise.all(Array.from({ length: 6 }, () => blobs.put(file, signal)))

    expect(new Set(stored.map(({ hash: each }) => each)).size).toBe(1)
    expect(await harness.store().durable.selectFrom('blobs').selectAll().execute()).toHaveLength(1)
  })

  it('reports missing content and leaves no file', async () => {
    const blobs = open()
    const missing = 'a'.repeat(64)

    await expect(blobs.download(missing, join(folder, 'back'), signal)).rejects.toThrow(BlobMissingError)

    expect(await blobs.has(missing)).toBe(false)
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses what is not what its name says, and leaves no file', async () => {
    const blobs = open()
    const { hash: stored } = await blobs.put(await write(Buffer.from('as it was stored')), signal)
    await harness.damage(stored)
    const before = await readdir(folder)

    await expect(blobs.download(stored, join(folder, 'back'), signal)).rejects.toThrow('does not match its hash')

    expect(await readdir(folder)).toEqual(before)
  })

  it('overwrites existing content when told that it may be damaged', async () => {
    const blobs = open()
    const file = await write(Buffer.alloc(2.5 * 1024 * 1024, 'docent '))
    const { hash: stored } = await blobs.put(file, signal)
    await harness.damage(stored)

    await blobs.put(file, signal)
    await expect(blobs.download(stored, join(folder, 'back'), signal)).rejects.toThrow(BlobDamagedError)
    await blobs.put(file, signal, { isRepair: true })

    await blobs.download(stored, join(folder, 'back'), signal)
    expect(sha256(await readFile(join(folder, 'back')))).toBe(stored)
  })

  it('deletes only unreferenced content', async () => {
    const blobs = open()
    const [named, unnamed] = await Promise.all([
      blobs.put(await write(Buffer.from('named')), signal),
      blobs.put(await write(Buffer.from('unnamed')), signal),
    ])
    const generationId = await publishGeneration(harness.store())
    await setIndexBlob(harness.store().durable, { generationId, part: 'index', hash: named.hash, model: null })

    const deleted = [await blobs.delete(named.hash), await blobs.delete(unnamed.hash), await blobs.delete(unnamed.hash)]

    expect(deleted).toEqual([false, true, false])
    expect(await blobs.has(named.hash)).toBe(true)
    await expect(blobs.download(unnamed.hash, join(folder, 'back'), signal)).rejects.toThrow(BlobMissingError)
    await blobs.download(named.hash, join(folder, 'back'), signal)
    expect(await findIndexBlob(harness.store().durable, generationId, 'index')).toMatchObject({ size: 5 })
  })

  it('removes content after an hour without references; storing it again restarts the hour', async () => {
    const blobs = open()
    const old = await write(Buffer.from('old'))
    const again = await write(Buffer.from('stored again'))
    await blobs.put(old, signal)
    const kept = await blobs.put(again, signal)
    now += hourMs
    await blobs.put(again, signal)
    now += 1

    expect(await blobs.removeUnused()).toBe(1)

    expect(await harness.store().durable.selectFrom('blobs').select('hash').execute()).toEqual([{ hash: kept.hash }])
    await blobs.download(kept.hash, join(folder, 'back'), signal)
  })
}

async function publishGeneration(store: Store): Promise<string> {
  const site = await seedSite(store)
  await enqueueIndexRun(store.durable, { id: freshId(), siteId: site.id, cause: 'site-created', createdAt: 1 })
  const run = await claimIndexRun(store.durable, { now: 1, leaseUntil: 10, siteIds: [site.id] })
  if (run === null) throw new Error('The run was queued above.')
  const id = `gen_${freshId()}`
  const counts = { pageCount: 1, chunkCount: 1, findings: [], createdAt: 1 }
  await publishIndexGeneration(store.durable, run, {
    id,
    siteId: site.id,
    revision: 'r',
    file: `${id}.sqlite`,
    ...counts,
  })
  return id
}
