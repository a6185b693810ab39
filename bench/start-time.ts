import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureProgram } from '../scripts/program-build.ts'
import { root } from '../scripts/web-build.ts'
import { median } from './load.ts'

// Time from starting the process to `/readyz` answering 200: the first start, which makes everything and indexes the
// documentation, and the second. Of the bundled program, as users start it.

/** @param rounds Starts of each kind. */
export async function benchStart(rounds: number): Promise<void> {
  await ensureProgram()
  const first: number[] = []
  const second: number[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
    first.push(await timeStart(folder, 4_710 + round))
    second.push(await timeStart(folder, 4_710 + round))
    await rm(folder, { recursive: true, force: true })
  }
  console.log(
    `\nStart to ready, median of ${rounds}: first ${median(first).toFixed(0)} ms, second ${median(second).toFixed(0)} ms`,
  )
}

async function timeStart(folder: string, port: number): Promise<number> {
  const startedAt = performance.now()
  const env = { ...process.env, PORT: String(port), DOCENT_DATA: folder, DOCENT_LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'start'], {
    env,
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  while (!(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 10))
  const elapsed = performance.now() - startedAt
  child.kill('SIGTERM')
  await exited
  return elapsed
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
