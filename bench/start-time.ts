import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureProgram } from '../scripts/program-build.ts'
import { root } from '../scripts/web-build.ts'
import { median } from './load.ts'

// Time and processor time from starting the process to `/readyz` answering 200, and its memory later: of the first start,
// which makes everything and indexes the documentation, and of the second. Of the bundled program, as users start it.

interface Start {
  readyMs: number
  /** Until ready, of all threads. */
  cpuMs: number
  /** Once it has been idle for a while. */
  residentMb: number
}

/** @param rounds Starts of each kind. @param waitMs Until memory is measured. */
export async function benchStart(rounds: number, waitMs: number): Promise<void> {
  await ensureProgram()
  const first: Start[] = []
  const second: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
    first.push(await measureStart(folder, 4_710 + round, waitMs))
    second.push(await measureStart(folder, 4_710 + round, waitMs))
    await rm(folder, { recursive: true, force: true })
  }
  const row = (starts: readonly Start[]) => ({
    'ready ms': Math.round(median(starts.map(({ readyMs }) => readyMs))),
    'cpu ms': Math.round(median(starts.map(({ cpuMs }) => cpuMs))),
    [`resident MB after ${waitMs / 1_000} s`]: Math.round(median(starts.map(({ residentMb }) => residentMb))),
  })
  console.log(`\nStart, medians of ${rounds}`)
  console.table({ first: row(first), second: row(second) })
  console.log('Left out: installing, bundling, and the small process that starts git (about 40 MB).')
}

async function measureStart(folder: string, port: number, waitMs: number): Promise<Start> {
  const startedAt = performance.now()
  const env = { ...process.env, PORT: String(port), DOCENT_DATA: folder, DOCENT_LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'start'], {
    env,
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  while (!(await isReady(port))) await wait(10)
  const readyMs = performance.now() - startedAt
  const cpuMs = readCpuMs(child.pid)
  await wait(waitMs)
  const residentMb = readResidentMb(child.pid)
  child.kill('SIGTERM')
  await exited
  return { readyMs, cpuMs, residentMb }
}

/** @see proc(5): user and system time, in hundredths of a second. */
function readCpuMs(processId = 0): number {
  const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function readResidentMb(processId = 0): number {
  const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
}
