import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { runJob } from '../test/support/agent-jobs.ts'
import { type Docent, startDocent } from '../test/support/start-docent.ts'
import { readProcessTree } from './process-tree.ts'
import { median } from './load.ts'

// A job that changes one page of the documentation with the offline agent, from its request to the link of its pull
// request: time, processor time of the service and of everything that it starts, git processes, and how long the event
// loop stood still at once.

const docs = join(import.meta.dirname, '../docs')

/** @param rounds Jobs that are measured. */
export async function benchJob(rounds: number): Promise<void> {
  const shim = writeGitShim()
  const docent = await startDocent({ demoFolder: docs, readsDemoInPlace: false })
  try {
    for (let round = 0; round < 3; round++) await changePage(docent, `warm ${round}`)
    const measured: Awaited<ReturnType<typeof measureJob>>[] = []
    for (let round = 0; round < rounds; round++) measured.push(await measureJob(docent, `round ${round}`))
    const middle = (field: keyof (typeof measured)[number]) =>
      Number(median(measured.map((each) => each[field])).toFixed(1))
    const commands = await shim.listCommands(() => changePage(docent, 'counted'))
    console.log(`\nA job that changes one page, median of ${rounds}`)
    console.table({
      job: {
        'ms to the link': middle('ms'),
        'cpu ms, service': middle('ownCpuMs'),
        'cpu ms, children': middle('childCpuMs'),
        'git processes': commands.length,
        'longest stop of the event loop, ms': middle('stopMs'),
      },
    })
    console.log(countCommands(commands))
  } finally {
    await docent.remove()
    shim.remove()
  }
}

async function changePage(docent: Docent, name: string): Promise<void> {
  const job = await runJob(docent, `Set the description of page faq to "Answers, ${name}".`)
  if (job.prLink === null) throw new Error(`The job made no pull request: ${job.failure?.message ?? job.status}`)
}

async function measureJob(docent: Docent, name: string) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const childrenBefore = readProcessTree().childCpuMs
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  delay.enable()
  await changePage(docent, name)
  delay.disable()
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  return {
    ms,
    ownCpuMs: (user + system) / 1_000,
    childCpuMs: readProcessTree().childCpuMs - childrenBefore,
    stopMs: delay.max / 1e6,
  }
}

/** A `git` that notes its command before it runs the real one. */
function writeGitShim() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-git-'))
  const log = join(folder, 'commands')
  const git = execFileSync('which', ['git']).toString().trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${git}' "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return {
    async listCommands(work: () => Promise<void>): Promise<string[]> {
      const path = process.env['PATH']
      process.env['PATH'] = `${folder}:${path}`
      appendFileSync(log, '')
      await work()
      process.env['PATH'] = path
      const lines = readFileSync(log, 'utf8').trim().split('\n')
      return lines.map((line) => line.replace(/^(?:-c \S+ )+/, ''))
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function countCommands(commands: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const command of commands) {
    const name = command.split(' ').slice(0, 2).join(' ')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ')
}
