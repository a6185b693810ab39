// Kills the indexer at random moments: npm run chaos [-- KILLS [SEED]]
// Prints a line for each kill; ends with 1 when a promise was broken. The same seed kills at the same moments.

import { killIndexer } from './kill-indexer.ts'

const [kills = 30, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
process.stdout.write(`${kills} kills, seed ${seed}\n`)

const served = { old: 0, new: 0 }
const faults = await killIndexer({
  kills,
  seed,
  onKill: ({ kill, afterMs, served: generation }) => {
    served[generation]++
    process.stdout.write(`kill ${kill} after ${afterMs} ms: the ${generation} generation answered\n`)
  },
})
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
process.stdout.write(`${served.old} old, ${served.new} new, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
