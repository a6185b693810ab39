import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { programFile } from './program-file.ts'

/** A command of the program as its users start it. */
export interface RunningCommand {
  child: ChildProcess
  /** The exit code; null when a signal ended it. */
  exit: Promise<number | null>
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
}

/** @param env Everything that the command finds in its environment, besides what finds programs and compiled code. */
export function runCommand(args: readonly string[], env: Record<string, string>): RunningCommand {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  const child = spawn(process.execPath, [programFile, ...args], { env: { PATH, ...cache, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => void (output.stdout += data.toString()))
  child.stderr.on('data', (data: Buffer) => void (output.stderr += data.toString()))
  const exit = once(child, 'close').then(([code]) => code as number | null) // As `close` gives it.
  return { child, exit, stdout: () => output.stdout, stderr: () => output.stderr }
}

/** The address that a server prints once it listens. @throws {Error} with its output, if it ends before. */
export async function readAddress({ exit, stdout, stderr }: RunningCommand): Promise<string> {
  for (;;) {
    const url = /Docent is listening on (\S+)/.exec(stdout())?.[1]
    if (url !== undefined) return url
    const isOver = await Promise.race([exit.then(() => true), wait(25).then(() => false)])
    if (isOver) throw new Error(`It did not start: ${stdout()}${stderr()}`)
  }
}
