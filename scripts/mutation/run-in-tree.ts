import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { ScratchTree } from './scratch-tree.ts'

/** The result of a test run, with the files that failed. */
export type TestOutcome = { kind: 'passed' } | { kind: 'failed'; files: string[] } | { kind: 'timed-out' }

/** Whether the product of a tree compiles. Unused names are allowed: a mutant may remove the last use of one. */
export async function compiles({ folder, temporary }: ScratchTree, timeoutMs: number): Promise<boolean> {
  const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false']
  const incremental = ['--incremental', '--tsBuildInfoFile', join(temporary, 'tsbuildinfo')]
  const tsc = join(folder, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', 'tsconfig.build.json', ...unused, ...incremental]
  return (await run(args, { folder, temporary }, timeoutMs)) === 0
}

/** Runs test files one after the other, up to the first failure. @param files From the root of the tree. */
export async function runTests(
  { folder, temporary }: ScratchTree,
  files: readonly string[],
  timeoutMs: number,
): Promise<TestOutcome> {
  const report = join(temporary, 'report.json')
  rmSync(report, { force: true })
  const options = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`]
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const exitCode = await run([vitest, 'run', ...options, ...files], { folder, temporary }, timeoutMs)
  if (exitCode === null) return { kind: 'timed-out' }
  if (exitCode === 0) return { kind: 'passed' }
  return { kind: 'failed', files: readFailed(report, folder) }
}

/** @returns The exit code; null after a timeout. */
function run(
  args: readonly string[],
  { folder, temporary }: Pick<ScratchTree, 'folder' | 'temporary'>,
  timeoutMs: number,
): Promise<number | null> {
  // Its own process group, so that processes started by tests end with them.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has already ended.
    }
  }
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    end()
  }, timeoutMs)
  // Before the tree is removed, because tests would keep writing to it.
  process.prependOnceListener('exit', end)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => {
      clearTimeout(timer)
      process.off('exit', end)
      end()
      done(isOver ? null : (code ?? 1))
    })
  })
}

interface JsonReport {
  testResults: { name: string; status: string }[]
}

/** Empty if the run ended before it could report. */
function readFailed(report: string, folder: string): string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport // As vitest writes it.
    const failed = testResults.filter(({ status }) => status === 'failed')
    return failed.map(({ name }) => name.slice(folder.length + 1))
  } catch {
    return []
  }
}
