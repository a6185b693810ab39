// Runs the tests: npm test [-- arguments of vitest]
// The last line on standard output is `N passed, N failed`, with `, N skipped` where there are any.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestSummary } from '../test/support/summary-reporter.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'docent-tests-'))
const summaryFile = join(folder, 'summary.json')

const exitCode = await runVitest(process.argv.slice(2))
const summary = readSummary()
rmSync(folder, { recursive: true, force: true })
for (const line of describeSkipped(summary)) console.log(line)
console.log(describeCounts(summary))
process.exitCode = summary.failed > 0 ? 1 : exitCode

/** Signals that reach this process go to vitest, which ends its own workers. */
function runVitest(args: readonly string[]): Promise<number> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', `--reporter=${join(root, 'test', 'support', 'summary-reporter.ts')}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_SUMMARY: summaryFile },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
}

/** A run that ended before it could count is one failure, because nothing else would say so in the counts. */
function readSummary(): TestSummary {
  try {
    // Written by the reporter of this very run, in this very shape.
    return JSON.parse(readFileSync(summaryFile, 'utf8')) as TestSummary
  } catch {
    return { passed: 0, failed: 1, skipped: [] }
  }
}

function describeSkipped({ skipped }: TestSummary): string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason)
  return [...byReason].map(([reason, tests]) => {
    const others = tests.length > 1 ? ` and ${tests.length - 1} more` : ''
    return `skipped: ${reason} (${tests[0]?.name}${others})`
  })
}

function describeCounts({ passed, failed, skipped }: TestSummary): string {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
}
