import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/telemetry/log.ts'
import { listMetrics } from '../../src/telemetry/metric-catalogue.ts'
import { askDocent } from '../support/ask.ts'
import { runJob } from '../support/agent-jobs.ts'
import { adminKey, assistantKey, type Docent, startDocent } from '../support/start-docent.ts'

const question = 'Where is the paper roll of the tangerine printer?'
const token = 'collect-0123456789abcdef'

let docent: Docent
let url: string
let text: string

beforeAll(async () => {
  const lines: Record<string, unknown>[] = []
  docent = await startDocent({
    env: {
      DOCENT_METRICS_PORT: '0',
      DOCENT_METRICS_TOKEN: token,
      DOCENT_LIMIT_KEY_PER_MONTH: '1',
    },
    log: createLog('info', { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
  })
  url = String(lines.find(({ event }) => event === 'metrics-served')?.['url'])
  await askDocent(docent, question)
  await askDocent(docent, question)
  await docent.get(`/tangerine/${'x'.repeat(20)}`)
  await runJob(docent, 'Replace "tangerine-before" by "tangerine-after" everywhere.')
  text = await collectWhen(
    /work="job",outcome="done"\} 1\n/,
    /open_streams\{kind="answer"\} 0\n/,
    /message",status="200"\} 1\n/,
  )
})

afterAll(() => docent.remove())

const collect = (headers: Record<string, string> = { authorization: `Bearer ${token}` }, method = 'GET') =>
  fetch(url, { headers, method })

/** What is told as soon as everything stands there: a client sees the end of its answer a moment before it is counted. */
async function collectWhen(...signs: readonly RegExp[]): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const told = await (await collect()).text()
    if (attempt === 1_000 || signs.every((sign) => sign.test(told))) return told
    await wait(50)
  }
}

/** The value of the only sample with these labels. */
function read(sample: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `))
  if (line === undefined) throw new Error(`No ${sample} in:\n${text}`)
  return Number(line.slice(sample.length + 1))
}

describe('metrics', () => {
  it.each(listMetrics())('tell $name with its kind', ({ name, definition }) => {
    expect(text).toContain(`# TYPE ${name} ${definition.kind}\n`)
  })

  it('count requests by the pattern of their route, answers by their verdict, and limits by their name', () => {
    const route = 'route="/discovery/v2/assistant/:domain/message"'

    expect(read(`docent_http_requests_total{method="POST",${route},status="200"}`)).toBe(1)
    expect(read(`docent_http_requests_total{method="POST",${route},status="429"}`)).toBe(1)
    expect(read('docent_http_errors_total{code="limit_reached"}')).toBe(1)
    expect(read('docent_limits_hit_total{limit="key"}')).toBe(1)
    expect(text).toMatch(/docent_answers_total\{outcome="finished",verdict="[a-z]+"\} 1\n/)
    expect(read('docent_answer_seconds_count{model="docent/offline"}')).toBe(1)
    expect(read('docent_search_seconds_count{kind="search"}')).toBeGreaterThan(0)
    expect(read('docent_open_streams{kind="answer"}')).toBe(0)
  })

  it('tell how sites, queues, work, the database and the disk are', () => {
    expect(read('docent_ready')).toBe(1)
    expect(read('docent_sites')).toBe(1)
    expect(read('docent_site_pages{site="docs"}')).toBeGreaterThan(0)
    expect(read('docent_site_generation{site="docs"}')).toBeGreaterThan(0)
    for (const queue of ['syncs', 'jobs', 'webhooks', 'webhook-sends']) {
      expect(read(`docent_queue_waiting{queue="${queue}"}`)).toBe(0)
    }
    expect(read('docent_work_seconds_count{work="sync",outcome="done"}')).toBeGreaterThan(0)
    expect(read('docent_work_seconds_count{work="job",outcome="done"}')).toBe(1)
    expect(read('docent_leases_held{work="job"}')).toBe(0)
    expect(read('docent_database_statement_seconds_count{operation="insert"}')).toBeGreaterThan(0)
    expect(read('docent_disk_free_bytes')).toBeGreaterThan(0)
    expect(read('docent_disk_size_bytes')).toBeGreaterThan(read('docent_disk_free_bytes'))
    expect(text).toMatch(/docent_build_info\{version="[^"]+",node="[^"]+",database="sqlite"\} 1\n/)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).toContain('process_resident_memory_bytes')
  })

  it('hold nothing that somebody wrote or asked for, no key and no address', () => {
    for (const secret of ['tangerine', 'xxxx', adminKey, assistantKey, token, '127.0.0.1']) {
      expect(text).not.toContain(secret)
    }
  })

  it('are for whoever has the token, on a port of their own', async () => {
    expect((await collect({})).status).toBe(401)
    expect((await collect({ authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await collect(undefined, 'POST')).status).toBe(405)
    expect((await fetch(url.replace('/metrics', '/healthz'))).status).toBe(404)
    expect((await docent.get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(404)
  })
})
