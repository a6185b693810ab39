import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export interface Check {
  name: string
  /** A command installed with the dependencies, or an absolute path, and its arguments. */
  command: readonly [string, ...string[]]
}

interface CheckOutcome {
  isPassed: boolean
  output: string
  seconds: number
}

/**
 * Runs checks side by side, as many at a time as there are cores, and prints one line for each as it ends; of one that
 * fails the whole output too, and of others the lines that begin with "Note: ".
 *
 * @returns How many failed. A command that cannot be started has failed.
 */
export async function runChecks(
  checks: readonly Check[],
  options: { root: string; print(line: string): void },
): Promise<number> {
  const waiting = [...checks]
  let failed = 0
  const runWaiting = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { isPassed, output, seconds } = await runCheck(check, options.root)
      if (!isPassed) failed += 1
      options.print(`${isPassed ? 'ok    ' : 'FAILED'} ${check.name.padEnd(18)} ${seconds.toFixed(1)} s`)
      if (!isPassed) options.print(output.trimEnd())
      else for (const note of output.match(/^Note: .*$/gm) ?? []) options.print(`       ${note}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  options.print(failed === 0 ? `${checks.length} checks passed.` : `${failed} of ${checks.length} checks failed.`)
  return failed
}

function runCheck({ command: [program, ...args] }: Check, root: string): Promise<CheckOutcome> {
  const started = performance.now()
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => {
    const end = (isPassed: boolean, output: string) =>
      resolve({ isPassed, output, seconds: (performance.now() - started) / 1000 })
    child.once('error', (error) => end(false, `${program} cannot be started: ${error.message}`))
    child.once('close', (code) => end(code === 0, Buffer.concat(chunks).toString('utf8')))
  })
}
