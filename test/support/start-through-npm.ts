import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** One process of a chain such as npm → shell → run.js → server. */
export interface ChainProcess {
  id: number
  command: string
}

/** The program as a package manager starts it, with all of its processes. */
export interface NpmStart {
  child: ChildProcess
  /** Exit code and signal of the package manager. */
  exit: Promise<[code: number | null, signal: NodeJS.Signals | null]>
  stderr(): string
  /** Every process that is left, by the data folder in its environment. The oldest first. Linux only. */
  listProcesses(): ChainProcess[]
  /** Resolves when none is left. */
  untilGone(): Promise<void>
  /** Ends what is left. */
  kill(): void
}

interface StartInput {
  command: readonly [string, ...string[]]
  cwd: string
  /** Named in the environment of every process. */
  dataFolder: string
  env?: Record<string, string>
  /** User and group, by number. */
  user?: number
}

/** Starts the program and resolves when it listens. */
export async function startThroughNpm({ command, cwd, dataFolder, env = {}, user }: StartInput): Promise<NpmStart> {
  const { PATH = '', HOME = '' } = process.env
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { PATH, ...(user === undefined ? { HOME } : {}), DOCENT_DATA: dataFolder, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => void (output.stdout += data.toString()))
  child.stderr.on('data', (data: Buffer) => void (output.stderr += data.toString()))
  const exit = once(child, 'exit') as NpmStart['exit'] // As `exit` gives it.
  const closed = once(child, 'close')
  const listProcesses = () => listOwn(`DOCENT_DATA=${dataFolder}`)
  const started: NpmStart = {
    child,
    exit,
    stderr: () => output.stderr,
    listProcesses,
    untilGone: async () => {
      await until(
        () => listProcesses().length === 0,
        () => JSON.stringify(listProcesses()),
      )
      // Their last lines may still be on their way.
      await closed
    },
    kill: () => listProcesses().forEach(({ id }) => process.kill(id, 'SIGKILL')),
  }
  await until(
    () => output.stdout.includes('Docent is listening on'),
    () => output.stdout + output.stderr,
  ).catch((error: unknown) => {
    started.kill()
    throw error
  })
  return started
}

function listOwn(variable: string): ChainProcess[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return ids
    .flatMap((id) => {
      try {
        if (!readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(variable)) return []
        return [{ id: Number(id), command: readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
    .sort((one, other) => one.id - other.id)
}

async function until(happened: () => boolean, describe: () => string): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (happened()) return
    await wait(50)
  }
  throw new Error(`It did not happen within a minute: ${describe()}`)
}
