// Kills the process at random moments while it indexes, while the agent works, while a gap is closed, while it answers in a
// chat, and while it moves to PostgreSQL or restores a backup: npm run chaos [-- KILLS [SEED]]
// Breaks a cluster of four processes on PostgreSQL in every way that there is: npm run chaos -- cluster [FAULTS [SEED]]
// Prints a line for each; ends with 1 when a promise was broken. The same seed breaks the same things at the same moments.

import { startPostgres } from '../support/start-postgres.ts'
import { breakCluster } from './break-cluster.ts'
import { killBot } from './kill-bot.ts'
import { killAgent, type KillAgentOptions } from './kill-agent.ts'
import { killFollowUps } from './kill-follow-ups.ts'
import { killGap } from './kill-gap.ts'
import { killIndexer } from './kill-indexer.ts'
import { killMove, killRestore, type KillTransferOptions } from './kill-transfer.ts'

const isCluster = process.argv[2] === 'cluster'
const [count = 30, seed = Date.now() % 1_000_000] = process.argv.slice(isCluster ? 3 : 2).map(Number)
const faults = isCluster ? await breakMany() : await killMany()
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
process.stdout.write(`${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1

async function breakMany(): Promise<string[]> {
  process.stdout.write(`${count} disturbances of a cluster, seed ${seed}\n`)
  const tookMs: number[] = []
  const outcome = await breakCluster({
    disturbances: count,
    seed,
    onDisturbed: ({ number, name, member, recoveryMs }) => {
      tookMs.push(recoveryMs)
      process.stdout.write(`${number} ${name} (${member}): answered again after ${Math.round(recoveryMs)} ms\n`)
    },
  })
  if ('unavailable' in outcome) return [`The cluster could not be started: ${outcome.unavailable}`]
  const sorted = tookMs.toSorted((a, b) => a - b).map(Math.round)
  process.stdout.write(
    `${outcome.answers} answers, ${outcome.brokenAnswers} broken off, ${outcome.jobs} jobs, ${outcome.keysUsedUp} keys used up; ` +
      `answered again after p50 ${sorted[Math.floor(sorted.length / 2)]}, at most ${sorted.at(-1)} ms; ` +
      `slowest question ${Math.round(outcome.slowestQuestionMs)} ms\n`,
  )
  return outcome.faults
}

async function killMany(): Promise<string[]> {
  process.stdout.write(`${count} kills, seed ${seed}\n`)
  const served = { old: 0, new: 0 }
  const found = await killIndexer({
    kills: count,
    seed,
    onKill: ({ kill, afterMs, served: generation }) => {
      served[generation]++
      process.stdout.write(`kill ${kill} after ${afterMs} ms: the ${generation} generation answered\n`)
    },
  })
  process.stdout.write(`${served.old} old, ${served.new} new\n`)
  found.push(...(await killAgents('embedded database', {})))
  const onKill = ({ kill, afterMs }: { kill: number; afterMs: number }) =>
    void process.stdout.write(`kill ${kill} after ${afterMs} ms\n`)
  found.push(...(await killFollowUps({ kills: Math.min(count, 20), seed, onKill })))
  found.push(...(await killGap({ kills: Math.min(count, 20), seed, onKill })))
  found.push(...(await killBot({ kills: count, seed, onKill })))
  process.stdout.write(`docent restore: ${count} kills\n`)
  found.push(...(await killRestore({ kills: count, seed, onKill: tellKill })))
  const postgres = await startPostgres()
  if ('unavailable' in postgres) process.stdout.write(`PostgreSQL was left out: ${postgres.unavailable}\n`)
  else {
    found.push(...(await killAgents('PostgreSQL', { databaseUrl: postgres.url })))
    await postgres.stop()
  }
  // Moved into a database of its own, which is emptied after each kill.
  const target = await startPostgres()
  if ('unavailable' in target) return found
  process.stdout.write(`docent move-to-postgres: ${count} kills\n`)
  found.push(...(await killMove({ kills: count, seed, databaseUrl: target.url, onKill: tellKill })))
  await target.stop()
  return found
}

function tellKill({ kill, afterMs, ended }: Parameters<NonNullable<KillTransferOptions['onKill']>>[0]): void {
  process.stdout.write(`kill ${kill} after ${afterMs} ms${ended ? ', when the command was through' : ''}\n`)
}

function killAgents(name: string, more: Partial<KillAgentOptions>): Promise<string[]> {
  const jobsPerKill = 2
  process.stdout.write(`the agent, ${name}: ${count} kills, ${count * jobsPerKill} jobs\n`)
  const onKill: KillAgentOptions['onKill'] = ({ kill, afterMs, process: chosen }) =>
    void process.stdout.write(`kill ${kill} of process ${chosen + 1} after ${afterMs} ms\n`)
  return killAgent({ kills: count, seed, jobsPerKill, onKill, ...more })
}
