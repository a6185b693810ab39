import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { closeConnections, exchange } from './exchange.ts'
import { fuzzDecoders } from './fuzz-decoders.ts'
import { fuzzForms } from './fuzz-forms.ts'
import { fuzzGit } from './fuzz-git.ts'
import { fuzzReceipts } from './fuzz-receipts.ts'
import { fuzzRoutes } from './fuzz-routes.ts'
import type { FuzzFault, FuzzTarget } from './fuzz-target.ts'
import { fuzzSockets } from './fuzz-sockets.ts'
import { fuzzSources } from './fuzz-sources.ts'
import { fuzzWebhooks } from './fuzz-webhooks.ts'
import { type FuzzedService, startFuzzedService } from './fuzzed-service.ts'

export interface RunFuzzInput {
  /** Total of all targets. */
  inputs: number
  seed: number
  /** How often each target is tried; the heap is measured after each. Default 4. */
  rounds?: number
  /** The name of the only target that is tried. */
  only?: string | undefined
  print(line: string): void
}

/** Most that the heap may grow from the end of the first round to that of the last, whatever was sent. */
const heapGrowthMax = 96 * 1024 * 1024

/** Tries all targets, and says what was wrong. What is sent depends on the seed alone. */
export async function runFuzz({ inputs, seed, rounds = 4, only, print }: RunFuzzInput): Promise<FuzzFault[]> {
  const service = await startFuzzedService()
  try {
    const all = await listTargets(service)
    const targets = only === undefined ? all : all.filter(({ name }) => name === only).map(alone)
    const faults: FuzzFault[] = []
    const heaps: number[] = []
    const startedAt = performance.now()
    for (let round = 0; round < rounds; round++) {
      for (const target of targets)
        faults.push(...(await tryTarget(target, { inputs: inputs / rounds, seed: seed + round, print })))
      const health = await exchange(service.url, { method: 'GET', path: '/healthz', headers: {} })
      if (health.status !== 200) throw new Error(`The service does not live any more: ${health.status}`)
      heaps.push(measureHeap())
    }
    const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0)
    if (growth > heapGrowthMax) faults.push(growthFault(heaps, inputs))
    faults.push(...service.logged.slice(0, 20).map((line) => loggedFault(line, inputs)))
    for (const { target, problem, input } of faults) print(`FAULT ${target}: ${problem}\n  ${input.slice(0, 2_000)}`)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const megabytes = heaps.map((heap) => Math.round(heap / 1024 / 1024)).join(', ')
    print(`${inputs} inputs in ${seconds} s, ${faults.length} faults, heap after each round in MB: ${megabytes}`)
    return faults
  } finally {
    closeConnections()
    await service.stop()
  }
}

function alone(target: FuzzTarget): FuzzTarget {
  return { ...target, share: 1 }
}

async function tryTarget(target: FuzzTarget, { inputs, seed, print }: RunFuzzInput): Promise<FuzzFault[]> {
  const startedAt = performance.now()
  const count = Math.max(1, Math.ceil(inputs * target.share))
  const fault = await target.run(count, seed)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  print(`${target.name}: ${fault?.after ?? count} inputs in ${seconds} s${fault === null ? '' : ', a fault'}`)
  return fault === null ? [] : [fault]
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function measureHeap(): number {
  // Twice, because the first frees what the finalizers of the second need.
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function growthFault(heaps: readonly number[], inputs: number): FuzzFault {
  return { target: 'heap', input: heaps.join(', '), problem: 'The heap grows with what is sent.', after: inputs }
}

/** Found where nobody is told: behind a stream that has begun, or after the reply. */
function loggedFault(line: string, inputs: number): FuzzFault {
  return { target: 'log', input: line, problem: 'The service logged a fault of its own.', after: inputs }
}

async function listTargets(service: FuzzedService): Promise<FuzzTarget[]> {
  const overHttp = [await fuzzRoutes(service), fuzzForms(service), fuzzWebhooks(service), fuzzGit(service)]
  return [...overHttp, fuzzSockets(service), ...fuzzDecoders(), ...fuzzSources(), ...fuzzReceipts()]
}
