import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSeededRandom } from '../chaos/seeded-random.ts'
import { startVictim, type Victim } from '../chaos/start-victim.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

/** What the process holds at one moment. */
export interface SoakSample {
  atMs: number
  residentMb: number
  openFiles: number
  threads: number
}

export interface SoakOutcome {
  samples: SoakSample[]
  answers: number
  aborted: number
  searches: number
  jobs: number
  /** Requests that ended with an error, by what was wrong. */
  failures: Map<string, number>
  /** A sentence for everything that grows: none is what is wanted. */
  faults: string[]
}

export interface SoakOptions {
  durationMs: number
  sampleEveryMs: number
  onSample?: (sample: SoakSample) => void
}

const adminKey = `svc_${'c'.repeat(43)}`
const assistantKey = `svc_dsc_${'c'.repeat(43)}`
const unlimited = '1000000000'

/** Uses the whole product at a moderate rate, as readers, people who leave, and owners do, and watches what it holds. */
export async function soak({ durationMs, sampleEveryMs, onSample }: SoakOptions): Promise<SoakOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-soak-'))
  const victim = await startVictim(folder, {
    DOCENT_ADMIN_KEY: adminKey,
    DOCENT_ASSISTANT_KEY: assistantKey,
    DOCENT_LIMIT_KEY_PER_MONTH: unlimited,
    DOCENT_LIMIT_ORG_PER_HOUR: unlimited,
    DOCENT_LIMIT_IP_PER_DAY: unlimited,
    DOCENT_LIMIT_SEARCH_PER_HOUR: unlimited,
    DOCENT_LIMIT_JOBS_PER_HOUR: unlimited,
  })
  const outcome: SoakOutcome = {
    samples: [],
    answers: 0,
    aborted: 0,
    searches: 0,
    jobs: 0,
    failures: new Map(),
    faults: [],
  }
  const ending = new AbortController()
  try {
    // Until the first site is indexed, its questions are refused.
    await waitUntilReady(victim.url)
    const users = startUsers(victim, outcome, ending.signal)
    const endsAt = performance.now() + durationMs
    while (performance.now() < endsAt) {
      await wait(Math.min(sampleEveryMs, Math.max(0, endsAt - performance.now())))
      const sample = await takeSample(victim.processId)
      outcome.samples.push(sample)
      onSample?.(sample)
    }
    ending.abort()
    await Promise.all(users)
    outcome.faults = judge(outcome)
    return outcome
  } finally {
    ending.abort()
    await victim.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

function startUsers({ url }: Victim, outcome: SoakOutcome, signal: AbortSignal): Promise<void>[] {
  const random = createSeededRandom(1)
  const send = (path: string, body: object, key = assistantKey, end?: AbortSignal) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(end === undefined ? {} : { signal: end }),
    })
  const question = () => ({
    id: `chat-${Math.floor(random() * 1e9)}`,
    fp: 'soak',
    messages: [
      { role: 'user', parts: [{ type: 'text', text: `How do I add site number ${Math.floor(random() * 50)}?` }] },
    ],
  })
  const repeat = async (pauseMs: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => note(outcome, error instanceof Error ? error.message : String(error)))
      await wait(pauseMs * (0.5 + random()))
    }
  }
  const readWhole = async (path: string, body: object, key = assistantKey) => {
    const response = await send(path, body, key)
    await response.arrayBuffer()
    if (!response.ok) note(outcome, `${path.split('/')[3]} answered ${response.status}`)
    return response.ok
  }
  const ask = async () => {
    if (await readWhole('/discovery/v2/assistant/docs/message', question())) outcome.answers++
  }
  const leave = async () => {
    const leaving = new AbortController()
    const response = await send('/discovery/v2/assistant/docs/message', question(), assistantKey, leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    outcome.aborted++
  }
  const search = async () => {
    const query = `how to change setting ${Math.floor(random() * 100)}`
    if (await readWhole('/discovery/v1/search/docs', { query })) outcome.searches++
  }
  const giveJob = async () => {
    const prompt = `Set the description of page index to "soak ${Math.floor(random() * 1e6)}".`
    if (await readWhole('/v2/agent/default/job', { prompt }, adminKey)) outcome.jobs++
  }
  const sync = async () => void (await readWhole('/admin/v1/sites/docs/sync', {}, adminKey))
  const lookAtPage = async () => void (await (await fetch(`${url}/sites/docs/quickstart`)).arrayBuffer())
  return [
    ...Array.from({ length: 4 }, () => repeat(250, ask)),
    repeat(500, leave),
    repeat(250, search),
    repeat(5_000, giveJob),
    repeat(10_000, sync),
    repeat(1_000, lookAtPage),
  ]
}

function note({ failures }: SoakOutcome, what: string): void {
  failures.set(what, (failures.get(what) ?? 0) + 1)
}

/** @see proc(5). */
async function takeSample(processId: number): Promise<SoakSample> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8')
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  return {
    atMs: Math.round(performance.now()),
    residentMb: Math.round(number('VmRSS') / 1_024),
    openFiles: (await readdir(`/proc/${processId}/fd`)).length,
    threads: number('Threads'),
  }
}

/**
 * What grows between the second and the last quarter of the time. The first is left out: caches fill, and code is
 * compiled. Of each quarter the least counts, because a collection of garbage may fall anywhere.
 */
function judge({ samples, failures }: SoakOutcome): string[] {
  const quarter = Math.floor(samples.length / 4)
  const least = (from: number, value: (sample: SoakSample) => number) =>
    Math.min(...samples.slice(from, from + quarter).map(value))
  const measures = [
    { name: 'resident MB', value: ({ residentMb }: SoakSample) => residentMb, mayGrow: 40 },
    { name: 'open files', value: ({ openFiles }: SoakSample) => openFiles, mayGrow: 10 },
    { name: 'threads', value: ({ threads }: SoakSample) => threads, mayGrow: 2 },
  ]
  const grown = measures.flatMap(({ name, value, mayGrow }) => {
    const [before, after] = [least(quarter, value), least(samples.length - quarter, value)]
    return after - before > mayGrow ? [`${name} grew from ${before} to ${after}`] : []
  })
  return [...grown, ...[...failures].map(([what, times]) => `${times} times: ${what}`)]
}
