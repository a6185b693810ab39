import { waitUntilReady } from '../test/support/wait-until-ready.ts'
import { applyLoad, type LoadTarget, quantile } from './load.ts'
import { type MeasuredServer, startMeasured } from './start-measured.ts'

// What the service adds to a provider's stream: the time to the first text beside the provider itself, and processor
// time per piece beside a bare pipe, both in one run. Per piece is the slope between short and long answers.

const key = `svc_dsc_${'k'.repeat(43)}`
const shortPieces = 20
const longPieces = 420
const concurrency = 8

interface Contender {
  name: string
  target: (pieces: number) => LoadTarget
  /** Null where the processor time is nobody's that is compared. */
  server: (pieces: number) => MeasuredServer | null
}

/** @param count Answers of each length. */
export async function benchOverhead(count: number): Promise<void> {
  const provider = await startMeasured('provider-server', [])
  const upstream = `${provider.url}/v1`
  const pipe = await startMeasured('pipe-server', [upstream])
  const docents = new Map<number, MeasuredServer>()
  for (const pieces of [shortPieces, longPieces]) docents.set(pieces, await startDocent(upstream, pieces))
  const docentOf = (pieces: number) => docents.get(pieces) as MeasuredServer // Started for both lengths above.
  const contenders: Contender[] = [
    { name: 'the provider itself', target: rawTarget(`${upstream}/chat/completions`), server: () => null },
    { name: 'bare pipe', target: rawTarget(pipe.url), server: () => pipe },
    { name: 'docent', target: (pieces) => docentTarget(docentOf(pieces).url), server: docentOf },
  ]
  const rows: Record<string, object> = {}
  for (const contender of contenders) {
    await measure(contender, shortPieces, Math.ceil(count / 4))
    const short = await measure(contender, shortPieces, count)
    const long = await measure(contender, longPieces, count)
    rows[contender.name] = {
      'first text p50 ms': Number(quantile(short.firstTextMs, 0.5).toFixed(1)),
      'first text p95 ms': Number(quantile(short.firstTextMs, 0.95).toFixed(1)),
      'cpu µs/piece': Math.round(((long.cpuMs - short.cpuMs) / count / (longPieces - shortPieces)) * 1_000),
    }
  }
  console.log(`\nBeside the provider's own stream, ${concurrency} at once`)
  console.table(rows)
  await Promise.all([provider, pipe, ...docents.values()].map((server) => server.stop()))
}

async function startDocent(upstream: string, pieces: number): Promise<MeasuredServer> {
  const server = await startMeasured('docent-server', [`${upstream}#paced-${pieces}`, key])
  await waitUntilReady(server.url)
  return server
}

async function measure({ target, server }: Contender, pieces: number, count: number) {
  const before = (await server(pieces)?.report())?.cpuMs ?? 0
  const { firstTextMs } = await applyLoad(target(pieces), count, concurrency)
  return { firstTextMs, cpuMs: ((await server(pieces)?.report())?.cpuMs ?? 0) - before }
}

function rawTarget(url: string): (pieces: number) => LoadTarget {
  return (pieces) => ({
    url,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ model: `paced-${pieces}`, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    textSign: '"content":"piece',
  })
}

function docentTarget(url: string): LoadTarget {
  return {
    url: `${url}/discovery/v2/assistant/docs/message`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: (index) => {
      const text = `How do I create a key? Case ${index}.`
      return JSON.stringify({ fp: 'bench', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] })
    },
  }
}
