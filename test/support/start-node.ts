import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface NodeProcess {
  /** Its standard output, line by line. */
  lines: AsyncIterable<string>
  /** Ends it as a power cut of the process would, and resolves once it is gone. */
  kill(): Promise<void>
}

/** Runs a program of ours in a process of its own, for tests in which a process has to die. */
export function startNode(file: URL, args: readonly string[]): NodeProcess {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  return {
    lines: createInterface({ input: child.stdout }),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
