// Kills the process at random moments while it indexes and while the agent works: npm run chaos [-- KILLS [SEED]]
// Prints a line for each kill; ends with 1 when a promise was broken. The same seed kills at the same moments.

import { startPostgres } from '../support/start-postgres.ts'
import { killAgent, type KillAgentOptions } from './kill-agent.ts'
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
faults.push(...(await killAgents('embedded database', {})))
const postgres = await startPostgres()
if ('unavailable' in postgres) process.stdout.write(`The agent on PostgreSQL was left out: ${postgres.unavailable}\n`)
else {
  faults.push(...(await killAgents('PostgreSQL', { databaseUrl: postgres.url })))
  await postgres.stop()
}
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
process.stdout.write(`${served.old} old, ${served.new} new, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function killAgents(name: string, more: Partial<KillAgentOptions>): Promise<string[]> {
  const jobsPerKill = 2
  process.stdout.write(`the agent, ${name}: ${kills} kills, ${kills * jobsPerKill} jobs\n`)
  const onKill: KillAgentOptions['onKill'] = ({ kill, afterMs, process: chosen }) =>
    void process.stdout.write(`kill ${kill} of process ${chosen + 1} after ${afterMs} ms\n`)
  return killAgent({ kills, seed, jobsPerKill, onKill, ...more })
}
