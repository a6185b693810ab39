import { expect, it } from 'vitest'
import { killIndexer } from './kill-indexer.ts'

/** A slice; `npm run chaos` does thirty. */
const kills = 3

it('answers whole generations, old or new, after the process is killed while it indexes', async () => {
  const served: string[] = []

  const faults = await killIndexer({ kills, seed: 20_260_801, onKill: (report) => served.push(report.served) })

  expect(faults).toEqual([])
  expect(served).toHaveLength(kills)
}, 90_000)
