import { waitUntilReady } from '../test/support/wait-until-ready.ts'
import { applySteadyLoad, type LoadTarget, median, quantile } from './load.ts'
import { type MeasuredServer, startMeasured } from './start-measured.ts'

// What the service adds to a provider's stream: processor time per piece and time to the first text, beside a bare pipe
// and the provider itself, in turns within one run. Per piece is the slope between short and long answers.

const key = `svc_dsc_${'k'.repeat(43)}`
const shortPieces = 20
/** As quick as the fastest models, and as most are. */
const paces = [
  { intervalMs: 2, longPieces: 420, concurrency: 8 },
  { intervalMs: 20, longPieces: 120, concurrency: 40 },
]
const openAtOnce = [1, 50, 200]
const steadyPieces = 100
const steadyIntervalMs = 20
/** As the provider takes for it. */
const firstPieceMs = 40
/** Of one answer in the measurement of first texts. */
const steadyMs = firstPieceMs + steadyPieces * steadyIntervalMs

interface Contender {
  name: string
  target: (pieces: number, intervalMs: number) => LoadTarget
  /** Null where the processor time is nobody's that is compared. */
  server: MeasuredServer | null
}

/** @param rounds Turns of each contender. @param count Answers of each length in a turn. */
export async function benchOverhead(rounds: number, count: number): Promise<void> {
  const provider = await startMeasured('provider-server', [])
  const upstream = `${provider.url}/v1`
  const pipe = await startMeasured('pipe-server', [upstream])
  const docent = await startMeasured('docent-server', [`${upstream}#paced`, key])
  await waitUntilReady(docent.url)
  const contenders: Contender[] = [
    { name: 'the provider itself', target: rawTarget(`${upstream}/chat/completions`), server: null },
    { name: 'bare pipe', target: rawTarget(pipe.url), server: pipe },
    { name: 'docent', target: docentTarget(docent.url), server: docent },
  ]
  for (const pace of paces) await comparePieces(contenders.slice(1), pace, rounds, count)
  for (const open of openAtOnce) await compareFirstTexts(contenders, open, rounds)
  console.log('Left out: how far apart the service and the provider are, and that a pipe knows no key, limit or page.')
  await Promise.all([provider, pipe, docent].map((server) => server.stop()))
}

async function comparePieces(
  contenders: readonly Contender[],
  { intervalMs, longPieces, concurrency }: (typeof paces)[number],
  rounds: number,
  count: number,
): Promise<void> {
  const answers = Math.max(count, concurrency * 3)
  const turns = contenders.map(() => ({ cpuUs: [] as number[], pausesMs: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    for (const [index, { target, server }] of contenders.entries()) {
      const measure = async (pieces: number) => {
        const before = (await server?.report())?.cpuMs ?? 0
        const everyMs = (firstPieceMs + pieces * intervalMs) / concurrency
        const { pausesMs } = await applySteadyLoad(target(pieces, intervalMs), answers, everyMs)
        return { pausesMs, cpuMs: ((await server?.report())?.cpuMs ?? 0) - before }
      }
      const short = await measure(shortPieces)
      const long = await measure(longPieces)
      if (round === -1) continue
      const pieces = answers * (longPieces - shortPieces)
      turns[index]?.cpuUs.push(((long.cpuMs - short.cpuMs) / pieces) * 1_000)
      turns[index]?.pausesMs.push(...long.pausesMs)
    }
  }
  const pipeUs = median(turns[0]?.cpuUs ?? [])
  const rows = contenders.map(({ name }, index) => {
    const { cpuUs = [], pausesMs = [] } = turns[index] ?? {}
    const pauses = pausesMs.toSorted((a, b) => a - b)
    const row = {
      'cpu µs/piece': round(median(cpuUs)),
      'times the pipe': round(median(cpuUs) / pipeUs, 2),
      'ms between texts p50': round(quantile(pauses, 0.5)),
      'ms between texts p99': round(quantile(pauses, 0.99)),
    }
    return [name, row]
  })
  console.log(
    `\nA piece every ${intervalMs} ms, ${concurrency} answers open at once, begun evenly; medians of ${rounds} turns`,
  )
  console.table(Object.fromEntries(rows))
}

/** Answers begin evenly, so that as many are open as given. */
async function compareFirstTexts(contenders: readonly Contender[], open: number, rounds: number): Promise<void> {
  const turns = contenders.map(() => ({ p50: [] as number[], p99: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { target }] of contenders.entries()) {
      const steady = target(steadyPieces, steadyIntervalMs)
      const { firstTextMs } = await applySteadyLoad(steady, Math.max(10, open * 2), steadyMs / open)
      turns[index]?.p50.push(quantile(firstTextMs, 0.5))
      turns[index]?.p99.push(quantile(firstTextMs, 0.99))
    }
  }
  const rows = contenders.map(({ name }, index) => {
    const { p50 = [], p99 = [] } = turns[index] ?? {}
    return [name, { 'first text p50 ms': round(median(p50)), 'first text p99 ms': round(median(p99)) }]
  })
  console.log(`\n${open} open at once, a piece every ${steadyIntervalMs} ms; medians of ${rounds} turns`)
  console.table(Object.fromEntries(rows))
}

function rawTarget(url: string): Contender['target'] {
  return (pieces, intervalMs) => ({
    url,
    headers: { 'content-type': 'application/json' },
    body: () => {
      const content = `Hi (${pieces} pieces, ${intervalMs} ms)`
      return JSON.stringify({ model: 'paced', stream: true, messages: [{ role: 'user', content }] })
    },
    textSign: '"content":"',
  })
}

function docentTarget(url: string): Contender['target'] {
  return (pieces, intervalMs) => ({
    url: `${url}/discovery/v2/assistant/docs/message`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: (index) => {
      const text = `How do I create a key? Case ${index}. (${pieces} pieces, ${intervalMs} ms)`
      return JSON.stringify({ fp: 'bench', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] })
    },
    endSign: '"model":"openai-compatible/paced"',
  })
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
