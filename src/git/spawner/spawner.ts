import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { type StartedChild, type ChildRequest, startHere } from './started-child.ts'
import { startBySpawner } from './start-by-spawner.ts'

/** Where threads find the path of the spawner's socket; they have what was set when they were started. */
const pathKey = 'docent-spawner'

/** What the system allows for the path of a socket, in bytes. */
const pathBytesMax = 100

let running: Promise<void> | null = null

/** Starts a process by the spawner where one runs, and as a child of this process otherwise. */
export function startChild(request: ChildRequest): StartedChild {
  const path = getSpawnerPath()
  return path === null ? startHere(request) : startBySpawner(path, request)
}

/** Null where no spawner runs. */
export function getSpawnerPath(): string | null {
  const path = getEnvironmentData(pathKey)
  return typeof path === 'string' ? path : null
}

/** Has processes of this one started by the spawner of another. To be called before anything is started. */
export function useSpawner(path: string): void {
  setEnvironmentData(pathKey, path)
}

/**
 * Starts a small process that starts git, and other programs, for this one from then on. Starting a process copies the page tables of its
 * parent and stops that meanwhile: 5 ms for a parent of 200 MB, 20 ms for one of 600 MB, and below 1 ms for the spawner.
 *
 * To be called from the main thread; threads that are started later use it too. It ends with this process, and is replaced
 * if it ends before. Idempotent.
 *
 * @returns Resolves when it runs, or cannot run here: processes are then children of this one.
 */
export function startSpawner(): Promise<void> {
  running ??= isMainThread && process.platform !== 'win32' ? runSpawner() : Promise.resolve()
  return running
}

async function runSpawner(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-spawner-'))
  const path = join(folder, 'socket')
  if (Buffer.byteLength(path) > pathBytesMax) return rm(folder, { recursive: true })
  const child = forkSpawner(path)
  const isReady = await new Promise<boolean>((resolve) => {
    child.once('message', () => resolve(true))
    child.once('error', () => resolve(false))
    child.once('exit', () => {
      resolve(false)
      void rm(folder, { recursive: true, force: true })
    })
  })
  if (!isReady) return
  setEnvironmentData(pathKey, path)
  child.once('exit', () => {
    setEnvironmentData(pathKey, undefined)
    running = runSpawner()
  })
  // It must not keep this process from exiting.
  child.unref()
  child.channel?.unref()
}

function forkSpawner(path: string): ChildProcess {
  const cache = getCompileCacheDir()
  return fork(new URL('./spawner-process.ts', import.meta.url), [path], {
    // No secret of the environment reaches it, and little memory is enough.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
