import { setTimeout as wait } from 'node:timers/promises'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { agentJobSchema } from '../../src/contract/agent-job.ts'
import { decodeUiMessageStream } from '../../src/contract/ui-message-stream.ts'
import { adminKey, type Cluster, keyLimit } from './cluster.ts'
import { insist } from './insist.ts'

/** What clients were told, which has to hold whatever happens. */
export interface Ledger {
  /** Answers whose end was seen, by thread: the text as it arrived. */
  answers: Map<string, string>
  /** Threads of answers that broke off. */
  brokenThreads: Set<string>
  /** Answers that began with 200, by the id of their key. */
  usesOfKey: Map<string, number>
  /** Jobs by id, and the value that each is to set. */
  jobs: Map<string, string>
  /** How long requests took from the first try to success. */
  slowestQuestionMs: number
}

export interface ClusterLoad {
  ledger: Ledger
  /** Ends the clients; resolves when what they had begun is done. */
  stop(): Promise<void>
  /** Resolves once a question was answered; how long that took, in milliseconds. */
  probe(): Promise<number>
}

const requestMsMax = 15_000
const pauseMs = 150

/** Clients that ask and give jobs without an end, each to any of the servers, as behind a balancer. */
export function startLoad(cluster: Cluster, random: () => number): ClusterLoad {
  const ledger: Ledger = {
    answers: new Map(),
    brokenThreads: new Set(),
    usesOfKey: new Map(),
    jobs: new Map(),
    slowestQuestionMs: 0,
  }
  const stopping = new AbortController()
  const anyUrl = () => cluster.urls()[Math.floor(random() * cluster.urls().length)] ?? ''
  const clients = [askOn(), askOn(), askOn(), giveJobs()]
  return {
    ledger,
    async stop() {
      stopping.abort()
      await Promise.all(clients)
    },
    async probe() {
      const before = ledger.answers.size
      const since = performance.now()
      while (ledger.answers.size === before && !stopping.signal.aborted) await wait(20)
      return performance.now() - since
    },
  }

  async function askOn(): Promise<void> {
    let key = await makeKey()
    for (let number = 0; !stopping.signal.aborted; number++) {
      const since = performance.now()
      for (;;) {
        const outcome = await ask(key, number).catch(() => 'broken' as const)
        if (outcome === 'answered' || stopping.signal.aborted) break
        if (outcome === 'used-up') key = await makeKey()
        await wait(pauseMs)
      }
      ledger.slowestQuestionMs = Math.max(ledger.slowestQuestionMs, performance.now() - since)
      await wait(pauseMs)
    }
  }

  async function makeKey(): Promise<{ id: string; secret: string }> {
    return insist(async () => {
      const response = await send('/admin/v1/keys', { kind: 'assistant', name: 'chaos', siteId: 'docs' })
      return response.status === 201 ? keyCreatedSchema.parse(await response.json()) : null
    })
  }

  async function ask(key: { id: string; secret: string }, number: number): Promise<'answered' | 'used-up' | 'broken'> {
    const threadId = `chaos-${key.id}-${number}-${Math.floor(random() * 1e9)}`
    const parts = [{ type: 'text', text: 'How do I add a site?' }]
    const body = { fp: 'chaos', threadId, messages: [{ role: 'user', parts }] }
    const response = await send('/discovery/v2/assistant/docs/message', body, { authorization: `Bearer ${key.secret}` })
    if (response.status === 429) return 'used-up'
    if (response.status !== 200) return 'broken'
    ledger.usesOfKey.set(key.id, (ledger.usesOfKey.get(key.id) ?? 0) + 1)
    ledger.brokenThreads.add(threadId)
    let text = ''
    let isFinished = false
    for await (const frame of decodeUiMessageStream(decodeText(response))) {
      if (frame.type === 'text-delta') text += frame.delta
      isFinished ||= frame.type === 'finish'
    }
    if (!isFinished) return 'broken'
    ledger.brokenThreads.delete(threadId)
    ledger.answers.set(threadId, text)
    return 'answered'
  }

  async function giveJobs(): Promise<void> {
    for (let number = 1; !stopping.signal.aborted; number++) {
      const value = `chaos ${number}`
      const prompt = `Set the description of page index to "${value}".`
      const job = await insist(async () => {
        const response = await send('/v2/agent/default/job', { prompt }, { 'idempotency-key': `chaos-${number}` })
        return response.status === 201 ? agentJobSchema.parse(await response.json()) : null
      })
      ledger.jobs.set(job.id, value)
      await wait(10 * pauseMs)
    }
  }

  function send(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(anyUrl() + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestMsMax),
    })
  }
}

async function* decodeText(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) yield text
}

/** Keys that were used more often than they may be. */
export function judgeLimits({ usesOfKey }: Ledger): string[] {
  return [...usesOfKey]
    .filter(([, uses]) => uses > keyLimit)
    .map(([id, uses]) => `the key ${id} was let through ${uses} times, its limit is ${keyLimit}`)
}
