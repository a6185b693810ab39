import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding-server.ts'
import type { Docent } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped vectors of replicas: ${database.unavailable}\n`)

describe.skipIf('unavailable' in database)('the vectors that one of two workers has made', () => {
  let replicas: Replicas
  let provider: EmbeddingServer

  beforeAll(async () => {
    provider = await startEmbeddingServer()
    const env = { DOCENT_EMBEDDING_MODEL: 'openai-compatible/test', DOCENT_EMBEDDING_BASE_URL: provider.url }
    replicas = await startReplicas({ databaseUrl: 'url' in database ? database.url : '', workers: 2, env })
  })
  afterAll(async () => {
    await replicas.stop()
    await provider.close()
    if ('stop' in database) await database.stop()
  })

  /** Searches fetch what is missing, in the background. */
  async function listFiles(docent: Docent): Promise<string[]> {
    for (;;) {
      await (await docent.post('/discovery/v1/search/docs', { query: 'paper' })).arrayBuffer()
      const files = await readdir(join(docent.folder, 'indexes'))
      if (files.some((file) => file.endsWith('.vectors'))) return files.toSorted()
      await wait(100)
    }
  }

  it('are there on both servers, and no passage was paid for twice', async () => {
    const files = await Promise.all(replicas.servers.map((docent) => listFiles(docent)))

    expect(files[0]).toHaveLength(2)
    expect(files[1]).toEqual(files[0])
    const passages = provider.requests.flatMap(({ texts }) => texts).filter((text) => text !== 'paper')
    expect(passages.length).toBeGreaterThan(5)
    expect(new Set(passages).size).toBe(passages.length)
  })
})
