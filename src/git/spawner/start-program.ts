import { Console } from 'node:console'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readExecutablePath } from '../read-executable-path.ts'
import { onMessage, writeMessage } from './message-frames.ts'
import { getSpawnerPath, startChild, useSpawner } from './spawner.ts'
import type { StartedChild } from './started-child.ts'

/** A program of this service in a separate process, which exchanges messages with it. */
export interface RunningProgram extends Pick<StartedChild, 'ended' | 'kill' | 'ref' | 'unref'> {
  send(message: unknown): void
}

export interface StartProgramOptions {
  /** A file that calls `serveParent`. */
  entry: URL
  /** Heap limit; beyond it, the process ends with `isOutOfMemory`. */
  memoryMbMax: number
  /** Gets what the program sends. */
  onMessage(message: never): void
}

/** It ends with this process, and its memory goes back to the system when it ends, unlike that of a thread. */
export function startProgram({ entry, memoryMbMax, onMessage: take }: StartProgramOptions): RunningProgram {
  const cache = getCompileCacheDir()
  const child = startChild({
    program: 'node',
    // Its programs parse much and keep little: a larger young generation takes 4 % less time, and less memory in all.
    args: [
      `--max-old-space-size=${memoryMbMax}`,
      '--max-semi-space-size=32',
      fileURLToPath(entry),
      getSpawnerPath() ?? '',
    ],
    // What git needs, and no secrets of the environment.
    env: {
      PATH: readExecutablePath(),
      ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
    },
    hasHelpers: false,
    cleanupMs: 0,
  })
  onMessage(child.stdout, take)
  // Callers that wait for its end learn what happened.
  child.stdin.on('error', () => {})
  child.ended.catch(() => {})
  const { ended, kill, ref, unref } = child
  return { ended, kill, ref, unref, send: (message) => writeMessage(child.stdin, message) }
}

/** @param stderr Of a process that ended without an exit code. */
export function isOutOfMemory(stderr: string): boolean {
  return stderr.includes('heap out of memory')
}

/**
 * To be called by a program that `startProgram` starts.
 *
 * @param take Gets what the parent sends.
 * @returns Sends a message to the parent.
 */
export function serveParent(take: (message: never) => void): (message: unknown) => void {
  const [, , spawnerPath = ''] = process.argv
  if (spawnerPath !== '') useSpawner(spawnerPath)
  // Standard output is the parent's.
  globalThis.console = new Console(process.stderr)
  onMessage(process.stdin, take)
  process.stdin.on('end', () => process.exit())
  process.stdout.on('error', () => process.exit())
  return (message) => writeMessage(process.stdout, message)
}
