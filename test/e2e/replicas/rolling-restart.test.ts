import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBucket, type TestBucket } from '../../support/start-bucket.ts'
import type { Docent } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped rolling restarts: ${database.unavailable}\n`)

const clientCount = 4
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

/** A load balancer with a health check: it sends requests to the servers of which it heard last that they are ready. */
class Balancer {
  answered = 0
  readonly faults: string[] = []
  readonly #ready = new Set<Docent>()
  /** Requests that were sent and whose answer has not begun. */
  readonly #sent = new Map<Docent, number>()
  #turn = 0

  async check(docent: Docent): Promise<void> {
    const response = await docent.get('/readyz')
    await response.arrayBuffer()
    if (response.ok) this.#ready.add(docent)
    else this.#ready.delete(docent)
  }

  async send(): Promise<void> {
    const servers = [...this.#ready]
    const docent = servers[this.#turn++ % servers.length]
    if (docent === undefined) throw new Error('No server is ready.')
    this.#count(docent, 1)
    const sent = docent.post('/discovery/v2/assistant/docs/message', question)
    const response = await sent.finally(() => this.#count(docent, -1))
    const text = await response.text()
    this.answered++
    const isWhole = text.endsWith('data: [DONE]\n\n') && !text.includes('"type":"error"')
    if (response.status !== 200 || !isWhole) this.faults.push(`${response.status} ${text.slice(-500)}`)
  }

  /**
   * Resolves once it has heard that the server is about to stop, as its next health check says, and what it had sent
   * before has arrived. Answers that have begun still run.
   */
  async release(docent: Docent): Promise<void> {
    while (this.#ready.has(docent)) await this.check(docent)
    while (this.serves(docent)) await nextTurn()
  }

  serves(docent: Docent): boolean {
    return (this.#sent.get(docent) ?? 0) > 0
  }

  #count(docent: Docent, change: number): void {
    this.#sent.set(docent, (this.#sent.get(docent) ?? 0) + change)
  }
}

describe.skipIf('unavailable' in database)('servers that are restarted one after the other', () => {
  let replicas: Replicas
  /** Holds the indexes, so that new servers fetch theirs from it. */
  let bucket: TestBucket
  const balancer = new Balancer()
  /** The server that is being stopped tells who asks that it is; the balancer hears it before it stops. */
  const leaving: { docent: Docent | null } = { docent: null }
  const waitForBalancers = async () => {
    if (leaving.docent !== null) await balancer.release(leaving.docent)
  }

  beforeAll(async () => {
    bucket = await startBucket()
    const env = {
      DOCENT_SHUTDOWN_SECONDS: '60',
      DOCENT_S3_ENDPOINT: bucket.endpoint,
      DOCENT_S3_BUCKET: bucket.bucket,
      DOCENT_S3_ACCESS_KEY_ID: bucket.accessKeyId,
      DOCENT_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    }
    const servers = [{ waitForBalancers }, { waitForBalancers }] as const
    replicas = await startReplicas({ databaseUrl: 'url' in database ? database.url : '', env, servers })
    for (const docent of replicas.servers) await balancer.check(docent)
  })
  afterAll(async () => {
    leaving.docent = null
    await replicas.stop()
    await bucket.stop()
    if ('stop' in database) await database.stop()
  })

  it('fail no request, and lose no answer', async () => {
    const stop = new AbortController()
    const clients = Array.from({ length: clientCount }, async () => {
      while (!stop.signal.aborted) await balancer.send()
    })

    for (const docent of replicas.servers) {
      const next = await replicas.startServer({ waitForBalancers })
      await balancer.check(next)
      const before = balancer.answered
      while (!balancer.serves(docent)) await nextTurn()
      leaving.docent = docent
      await docent.stop()
      // The others go on.
      while (balancer.answered < before + clientCount) await nextTurn()
    }
    stop.abort()
    await Promise.all(clients)

    expect(balancer.faults).toEqual([])
  })
})
