import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programFile } from '../support/program-file.ts'

/** A process of the product, which is there to be killed. */
export interface Victim {
  /** Where it listens; empty for one that does not. */
  url: string
  processId: number
  /** Without a chance to tidy up. */
  kill(): Promise<void>
  /** Stands still, as a machine does that is put to sleep. */
  stop(): void
  goOn(): void
  /** Asks a preloaded module over the channel between the processes. */
  ask(question: string): Promise<unknown>
}

export interface VictimOptions {
  command?: 'start' | 'serve' | 'work'
  /** A module that is loaded first. */
  preload?: URL
  /** The working tree that it is started from, in place of this one. */
  checkout?: string
}

/** @param env What it finds in its environment besides its folder, a free port and what finds programs and compiled code. */
export async function startVictim(
  folder: string,
  env: Record<string, string>,
  { command = 'start', preload, checkout }: VictimOptions = {},
): Promise<Victim> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const before = preload === undefined ? [] : ['--import', preload.href]
  const program = checkout === undefined ? programFile : join(checkout, 'src/cli/main.ts')
  const child = spawn(process.execPath, [...before, program, '--json', command], {
    cwd: folder,
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      PORT: '0',
      DOCENT_DATA: folder,
      DOCENT_LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = await readUrl(child)
  return {
    url,
    processId: child.pid ?? 0,
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
    stop: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async ask(question) {
      const answered = once(child, 'message')
      child.send(question)
      return (await answered)[0]
    },
  }
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The output of the server is not a pipe.')
  for await (const line of createInterface({ input: stdout })) return (JSON.parse(line) as { url?: string }).url ?? ''
  throw new Error('The process ended before it was ready.')
}
