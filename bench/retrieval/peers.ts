import { fork } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allEngines } from './engines/all-engines.ts'
import { benchFusedRankings } from './fused-rankings.ts'
import type { ScaleFigures, SetQuality } from './measure-engine.ts'

// Search quality and speed beside the engines that others embed, one after the other in one run: the same chunks, the
// same queries, each engine set up as its documentation advises.

const sizes = [1_000, 20_000, 100_000]
/** An engine that is slower than this at a size is named as such and not asked at larger ones. */
const timeLimitMs = 240_000

/** @param setsFolder Holds one folder per judged set: queries.jsonl, qrels.jsonl and chunks.jsonl or pages.jsonl. */
export async function benchRetrieval(setsFolder: string, isQuick: boolean): Promise<void> {
  const sets = readdirSync(setsFolder)
    .map((name) => join(setsFolder, name))
    .filter((folder) => existsSync(join(folder, 'queries.jsonl')))
  if (sets.length === 0) throw new Error(`${setsFolder} holds no folder with queries.jsonl. Name one with --sets.`)
  await reportQuality(sets)
  for (const folder of sets) await benchFusedRankings(folder)
  await reportScale(sets, isQuick ? sizes.slice(0, 1) : sizes)
}

async function reportQuality(sets: readonly string[]): Promise<void> {
  const byEngine = new Map<string, SetQuality[]>()
  for (const { name } of allEngines) byEngine.set(name, (await measure<SetQuality[]>(name, 'quality', 0, sets)) ?? [])
  sets.forEach((folder, place) => {
    console.log(`\n${folder}`)
    const rows = [...byEngine].flatMap(([name, qualities]) => {
      const quality = qualities[place]
      return quality ? [[name, describeQuality(quality)] as const] : []
    })
    console.table(Object.fromEntries(rows))
  })
}

function describeQuality(quality: SetQuality): Record<string, string> {
  const measures = Object.entries(quality).filter(
    ([measure, value]) => measure !== 'queries' && typeof value === 'number',
  )
  return Object.fromEntries(
    measures.map(([measure, value]) => [measure, Number(value).toFixed(measure.endsWith('Ms') ? 1 : 3)]),
  )
}

async function reportScale(sets: readonly string[], chosenSizes: readonly number[]): Promise<void> {
  const slow = new Set<string>()
  for (const size of chosenSizes) {
    console.log(`\nAbout ${size} chunks, of each query the fastest of three rounds, in one thread`)
    const rows: [string, Record<string, string | number>][] = []
    for (const { name } of allEngines) {
      const figures = slow.has(name) ? null : await measure<ScaleFigures>(name, 'scale', size, sets)
      if (figures === null) slow.add(name)
      rows.push([name, figures === null ? { 'p50 ms': `over ${timeLimitMs / 1000} s` } : describeScale(figures)])
    }
    console.table(Object.fromEntries(rows))
  }
}

function describeScale(figures: ScaleFigures): Record<string, string | number> {
  const { p50Ms, p95Ms, filteredP95Ms, chunks, buildSeconds, memoryMb, fileBytes } = figures
  return {
    'p50 ms': p50Ms.toFixed(1),
    'p95 ms': p95Ms.toFixed(1),
    'p95 ms in a part': filteredP95Ms === null ? '' : filteredP95Ms.toFixed(1),
    'chunks/s built': Math.round(chunks / buildSeconds),
    'memory MB': Math.round(memoryMb),
    'bytes a chunk on disk': fileBytes === null ? '' : Math.round(fileBytes / chunks),
  }
}

/** Null when it takes too long or runs out of memory. */
function measure<Figures>(
  name: string,
  kind: 'quality' | 'scale',
  size: number,
  sets: readonly string[],
): Promise<Figures | null> {
  const child = fork(
    fileURLToPath(new URL('./measure-engine.ts', import.meta.url)),
    [name, kind, String(size), ...sets],
    { execArgv: ['--expose-gc', '--max-old-space-size=6000'], timeout: timeLimitMs },
  )
  return new Promise((resolve) => {
    child.once('message', (figures) => resolve(figures as Figures)) // Sent by `measure-engine.ts`.
    child.once('exit', () => resolve(null))
  })
}
