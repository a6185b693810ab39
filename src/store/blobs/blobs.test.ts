import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBucket, type TestBucket } from '../../../test/support/start-bucket.ts'
import { startPostgres } from '../../../test/support/start-postgres.ts'
import { silentLog } from '../../telemetry/log.ts'
import { declareBlobTests } from '../../../test/store/blobs.conformance.ts'
import { createDatabaseBlobs } from './database-blobs.ts'
import { openStore } from '../open-store.ts'
import { createS3Blobs } from './s3-blobs.ts'
import type { Store } from '../store.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped contents that processes share: ${server.unavailable}\n`)

describe.skipIf('unavailable' in server)('contents that processes share', () => {
  let store: Store
  let bucket: TestBucket

  beforeAll(async () => {
    store = await openStore({ databaseUrl: 'url' in server ? server.url : '', folder: tmpdir(), log: silentLog })
    bucket = await startBucket()
  }, 30_000)
  afterAll(async () => {
    await bucket.stop()
    await store.close()
    if ('stop' in server) await server.stop()
  }, 30_000)

  const openBucket = (change: { secretAccessKey?: string; bucket?: string } = {}) =>
    createS3Blobs({ ...bucket, region: 'us-east-1', prefix: 'docent/', ...change })

  describe('in the database', () => {
    declareBlobTests({
      store: () => store,
      contents: () => createDatabaseBlobs(store),
      damage: async (hash) => {
        const bytes = Buffer.from('other')
        await store.durable.updateTable('blobChunks').set({ bytes }).where('hash', '=', hash).execute()
      },
    })
  })

  describe('in a bucket', () => {
    declareBlobTests({
      store: () => store,
      contents: () => openBucket(),
      // As anyone with the keys can.
      damage: async (hash) => {
        const client = new AwsClient({ ...bucket, region: 'us-east-1', service: 's3' })
        const url = `${bucket.endpoint}/${bucket.bucket}/docent/${hash}`
        const { ok } = await client.fetch(url, { method: 'PUT', body: 'other' })
        if (!ok) throw new Error('The bucket takes what is put by who has its keys.')
      },
    })
  })

  it('names the settings to check when the bucket refuses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-refused-'))
    const file = join(folder, 'content')
    await writeFile(file, 'content')
    const { signal } = new AbortController()
    const put = (contents: ReturnType<typeof openBucket>) =>
      contents.write(store.durable, { hash: 'a'.repeat(64), size: 7, file }, signal)

    await expect(put(openBucket({ secretAccessKey: 'wrong' }))).rejects.toThrow(/403 .*DOCENT_S3_/u)
    await expect(put(openBucket({ bucket: 'missing' }))).rejects.toThrow(/404 .*DOCENT_S3_BUCKET/u)

    await rm(folder, { recursive: true })
  })
})
