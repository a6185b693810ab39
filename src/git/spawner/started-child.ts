import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import type { Socket } from 'node:net'
import { parse } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** Everything a process is started with. */
export interface ChildRequest {
  program: 'git' | 'node'
  args: readonly string[]
  /** The whole environment. */
  env: Readonly<Record<string, string>>
  /** Whether it starts other processes, which are killed with it. */
  hasHelpers: boolean
  /** How long it may clean up, in milliseconds, after its input was cut off. */
  cleanupMs: number
}

export interface ChildEnd {
  /** Null if a signal ended it. */
  exitCode: number | null
  /** The first 8 KiB of standard error. */
  stderr: string
}

export interface StartedChild {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves after all output was delivered. Rejects with the system's error if it cannot be started. */
  readonly ended: Promise<ChildEnd>
  kill(): void
  /** Lets this process end while it runs, until `ref`. */
  unref(): void
  ref(): void
}

const stderrBytesMax = 8 * 1024

/** Starts a child of this process. */
export function startHere(request: ChildRequest): StartedChild {
  const { child, ended, kill } = spawnChild(request, ['pipe', 'pipe', 'pipe'])
  // All are pipes, which are sockets here.
  const handles = [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]
  return {
    stdin: child.stdin as Writable,
    stdout: child.stdout as Readable,
    ended,
    kill,
    unref: () => handles.forEach((handle) => void handle.unref()),
    ref: () => handles.forEach((handle) => void handle.ref()),
  }
}

/**
 * There is never a shell, and the working folder is the file system's root, so that no repository folder is ever current.
 *
 * @param stdio Standard error has to be a pipe.
 */
export function spawnChild({ program, args, env, hasHelpers }: ChildRequest, stdio: StdioOptions) {
  const cwd = parse(process.cwd()).root
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...env },
    stdio,
    detached: hasHelpers,
  })
  return { child, ended: waitForEnd(child), kill: () => killChild(child, hasHelpers) }
}

function waitForEnd(child: ChildProcess): Promise<ChildEnd> {
  const stderr = collectStart(child.stderr)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode, stderr: stderr() }))
  })
}

function killChild(child: ChildProcess, hasHelpers: boolean): void {
  // Another process may have its pid by now.
  if (child.exitCode !== null || child.signalCode !== null) return
  if (hasHelpers) killGroup(child.pid)
  child.kill('SIGKILL')
}

/** A detached process leads its own process group, which includes its helpers. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

/** Keeps reading beyond the limit, because a full pipe would block the process. */
function collectStart(stream: Readable | null): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream?.on('data', (chunk: Buffer) => {
    if (size < stderrBytesMax) chunks.push(chunk.subarray(0, stderrBytesMax - size))
    size += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}
