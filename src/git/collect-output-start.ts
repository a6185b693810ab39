import { type GitCommand, startGit } from './run-git.ts'

const timeoutMsDefault = 30_000

export interface OutputStartLimits {
  bytesMax: number
  /** Default 30 seconds. */
  timeoutMs?: number
  /** Error to throw on timeout; by default one that names the command. */
  tooLong?: () => Error
}

export interface OutputStart {
  /** May end within a character, even if complete. */
  output: Buffer
  /** Whether the output is complete. */
  isWhole: boolean
  exitCode: number
  stderr: string
}

/** Collects the beginning of git's output, then stops the process. */
export async function collectOutputStart(command: GitCommand, limits: OutputStartLimits): Promise<OutputStart> {
  const { bytesMax, timeoutMs = timeoutMsDefault } = limits
  const timeout = AbortSignal.timeout(timeoutMs)
  const git = startGit({ ...command, signal: AbortSignal.any([command.signal, timeout]) })
  git.stdin.end()
  const chunks: Buffer[] = []
  let size = 0
  git.stdout.on('data', (chunk: Buffer) => {
    if (size <= bytesMax) chunks.push(chunk)
    size += chunk.length
    if (size > bytesMax) git.stop()
  })
  try {
    const ended = await git.ended
    return { ...ended, output: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: size <= bytesMax }
  } catch (error) {
    if (!timeout.aborted || command.signal.aborted) throw error
    throw limits.tooLong?.() ?? new Error(`git ${command.args[0]} took longer than ${timeoutMs} ms and was stopped.`)
  }
}
