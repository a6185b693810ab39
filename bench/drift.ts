import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { driftMemoryMbMax } from '../src/agent/drift/drift-thread.ts'
import { compareStates, scoreJudgedFindings, scoreRealDrift } from './drift-set.ts'
import { seedProduct } from './drift-seeds.ts'

// Drift of seeded products: found by kind, right replacements, alarms on refactorings; time and memory of a large one.

/** @param sets Folder with `real.jsonl` and `findings.jsonl`, judged drift of public histories. */
export async function benchDrift(sets: string | undefined, quick: boolean): Promise<void> {
  const large = fileURLToPath(new URL('./drift-large.ts', import.meta.url))
  // As much memory as the thread of a server has.
  const execArgv = [`--max-old-space-size=${driftMemoryMbMax}`, '--max-semi-space-size=4']
  await once(fork(large, quick ? ['400', '50', '20'] : ['4000', '500', '300'], { execArgv }), 'exit')
  await measureSeeds(quick ? 5 : 50)
  if (sets === undefined) return
  await scoreRealDrift(sets)
  await scoreJudgedFindings(sets)
}

async function measureSeeds(products: number): Promise<void> {
  const found = new Map<string, { hits: number; right: number; stray: number; all: number }>()
  const alarms: string[] = []
  let refactorings = 0
  for (let seed = 1; seed <= products; seed++) {
    const { product, pages, drifts, refactorings: harmless } = seedProduct(seed)
    for (const { kind, after, subject, to } of drifts) {
      const drift = await compareStates([product, after], pages)
      const own = drift.filter((each) => each.subject === subject)
      const count = found.get(kind) ?? { hits: 0, right: 0, stray: 0, all: 0 }
      count.all++
      count.hits += Number(own.length > 0)
      count.right += Number(to === null || own.some(({ details }) => details.facts[1]?.value === to))
      count.stray += Number(drift.length > own.length)
      found.set(kind, count)
      if (own.length === 0) console.log(`  missed ${kind} of ${subject}`)
    }
    for (const { kind, after } of harmless) {
      refactorings++
      for (const { details } of await compareStates([product, after], pages)) alarms.push(`${kind}: ${details.title}`)
    }
  }
  for (const [kind, { hits, right, stray, all }] of found) {
    console.log(`drift, seeded, ${kind}: ${hits} of ${all}, replacement right ${right}, with a stray finding ${stray}`)
  }
  const sum = (of: 'hits' | 'all' | 'right') => [...found.values()].reduce((total, count) => total + count[of], 0)
  console.log(
    `drift, seeded: ${((100 * sum('hits')) / sum('all')).toFixed(1)} %, replacement ${((100 * sum('right')) / sum('all')).toFixed(1)} %`,
  )
  console.log(
    `drift: alarms on ${alarms.length} of ${refactorings} refactorings ${[...new Set(alarms)].slice(0, 10).join('; ')}`,
  )
}
