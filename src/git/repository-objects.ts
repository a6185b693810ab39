import { stat } from 'node:fs/promises'
import { type GitProcess, startGit } from './run-git.ts'

/** What git is asked about an object. */
export interface ObjectQuestion {
  /** `info` leaves the content out. */
  command: 'info' | 'contents'
  /** An id, or a revision expression without line feeds. */
  object: string
  /** Larger objects are rejected without being buffered. */
  bytesMax: number
}

export interface GitObject {
  id: string
  type: string
  /** Empty for `info`. */
  bytes: Uint8Array
}

interface WaitingQuestion extends ObjectQuestion {
  /** Takes the first outcome only. */
  settle(outcome: GitObject | null | Error): void
}

/** The answer being received; null between two answers. */
interface Answer {
  id: string
  type: string
  /** Including the final line feed. */
  bytesLeft: number
  chunks: Buffer[]
  refusal: Error | null
}

/** Between two steps of a job, and short enough that a repository which was repacked frees its old packs. */
const idleMsMax = 5_000

/** Most idle processes. */
const idleMax = 8

/** The process is stopped if an answer is due and it stays silent for this long. */
const silenceMsMax = 30_000

/** Passing over a larger object would keep the questions behind it waiting. */
const passedOverBytesMax = 64 * 1024 * 1024

const neverAborted = new AbortController().signal

/** By git directory, those that were idle for longest first. */
const opened = new Map<string, RepositoryObjects>()

/**
 * The objects of a repository, for as long as the same folder is there.
 *
 * A folder that was replaced is another repository, of which a process that read the former one knows nothing.
 */
export async function openObjects(gitDirectory: string): Promise<RepositoryObjects> {
  const found = await stat(gitDirectory, { bigint: true }).catch(() => null)
  const folder = found === null ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`
  const known = opened.get(gitDirectory)
  if (known?.folder === folder) return known
  const objects = new RepositoryObjects(gitDirectory, folder)
  opened.set(gitDirectory, objects)
  return objects
}

/**
 * Has the next question answered by a new process, which knows nothing but what is on the disk now: a running one
 * remembers objects, and keeps files open that were removed since.
 */
export function forgetObjects(gitDirectory: string): void {
  const known = opened.get(gitDirectory)
  opened.delete(gitDirectory)
  if (known?.isIdle === true) known.stop()
}

/**
 * Asks about objects through one `git cat-file` for each repository and thread, in about a tenth of a millisecond each.
 * The process is started on demand, and stopped after some idle seconds.
 *
 * If it exits early, pending requests are retried once.
 */
export class RepositoryObjects {
  /** Identifies the folder; null if there was none. */
  readonly folder: string | null
  readonly #gitDirectory: string
  #git: GitProcess | null = null
  #waiting: WaitingQuestion[] = []
  #unsettled = 0
  #hasFailed = false
  #header = ''
  #answer: Answer | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(gitDirectory: string, folder: string | null) {
    this.folder = folder
    this.#gitDirectory = gitDirectory
  }

  get isIdle(): boolean {
    return this.#git !== null && this.#waiting.length === 0
  }

  /**
   * @returns Null if the repository has no such object.
   * @throws {Error} if the object is too large, or git cannot read the repository.
   * @throws The signal's reason, at once, if it is aborted.
   */
  async ask(question: ObjectQuestion, signal: AbortSignal): Promise<GitObject | null> {
    signal.throwIfAborted()
    if (question.object.includes('\n')) throw new Error('A revision expression is one line.')
    const { promise, resolve, reject } = Promise.withResolvers<GitObject | null>()
    let isSettled = false
    const settle = (outcome: GitObject | null | Error) => {
      if (isSettled) return
      isSettled = true
      this.#unsettled--
      signal.removeEventListener('abort', cancel)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    const cancel = () => {
      const { reason } = signal as { reason: unknown }
      settle(reason instanceof Error ? reason : new Error('Reading was cancelled.', { cause: reason }))
      if (this.#unsettled === 0) this.stop()
    }
    signal.addEventListener('abort', cancel, { once: true })
    this.#unsettled++
    this.#enqueue({ ...question, settle })
    return promise
  }

  /** Only while no request is pending. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.#git?.stop()
    this.#git = null
    if (opened.get(this.#gitDirectory) === this) opened.delete(this.#gitDirectory)
  }

  #enqueue(question: WaitingQuestion): void {
    this.#waiting.push(question)
    if (this.#git === null) return this.#start()
    if (this.#waiting.length === 1) {
      this.#git.ref()
      this.#watch()
    }
    this.#send(question)
  }

  #start(): void {
    if (!opened.has(this.#gitDirectory)) opened.set(this.#gitDirectory, this)
    this.#header = ''
    this.#answer = null
    const args = ['cat-file', '--batch-command']
    const git = startGit({ gitDirectory: this.#gitDirectory, args, signal: neverAborted })
    this.#git = git
    git.stdout.on('data', (chunk: Buffer) => {
      if (this.#git === git) this.#receive(chunk)
    })
    git.ended.then(
      ({ stderr }) => this.#end(git, new Error(`git cat-file ended too early: ${stderr.trim() || 'no reason given'}.`)),
      (error: unknown) => this.#end(git, error instanceof Error ? error : new Error(String(error))),
    )
    this.#watch()
    for (const question of this.#waiting) this.#send(question)
  }

  #send({ command, object }: WaitingQuestion): void {
    this.#git?.stdin.write(`${command} ${object}\n`)
  }

  #end(git: GitProcess, error: Error): void {
    if (this.#git !== git) return
    this.#git = null
    if (this.#waiting.length === 0) return this.stop()
    if (this.#hasFailed) return this.#fail(error)
    this.#hasFailed = true
    this.#start()
  }

  #fail(error: Error): void {
    for (const { settle } of this.#waiting) settle(error)
    this.#hasFailed = false
    this.stop()
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const message = `git cat-file was silent for ${silenceMsMax} ms and was stopped.`
    this.#timer = setTimeout(() => this.#fail(new Error(message)), silenceMsMax)
  }

  #rest(): void {
    if (opened.get(this.#gitDirectory) !== this) return this.stop()
    clearTimeout(this.#timer)
    this.#git?.unref()
    this.#timer = setTimeout(() => this.stop(), idleMsMax).unref()
    opened.delete(this.#gitDirectory)
    opened.set(this.#gitDirectory, this)
    const idle = [...opened.values()].filter(({ isIdle }) => isIdle)
    if (idle.length > idleMax) idle[0]?.stop()
  }

  #receive(chunk: Buffer): void {
    const git = this.#git
    let rest = chunk
    while (rest.length > 0 && this.#git === git) {
      rest = this.#answer ? this.#receiveBody(this.#answer, rest) : this.#receiveHeader(rest)
    }
    if (this.#git === git && this.#waiting.length > 0) this.#watch()
  }

  #receiveHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(0x0a)
    this.#header += chunk.toString('latin1', 0, end === -1 ? chunk.length : end)
    if (end === -1) return chunk.subarray(chunk.length)
    const header = this.#header
    this.#header = ''
    this.#begin(header)
    return chunk.subarray(end + 1)
  }

  /** Answers come in the order of the questions: `<id> <type> <size>`, or the question and why there is none. */
  #begin(header: string): void {
    const [question] = this.#waiting
    if (question === undefined) return this.stop()
    const [, id, type, size] = /^([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d+)$/.exec(header) ?? []
    if (id === undefined || type === undefined) return this.#settle(null)
    if (question.command === 'info') return this.#settle({ id, type, bytes: new Uint8Array() })
    const bytes = Number(size)
    const isTooLarge = bytes > question.bytesMax
    const refusal = isTooLarge
      ? new Error(`The file has ${bytes} bytes, and at most ${question.bytesMax} are read.`)
      : null
    this.#answer = { id, type, bytesLeft: bytes + 1, chunks: [], refusal }
    if (refusal !== null && bytes > passedOverBytesMax) this.#passOver(refusal)
  }

  /** The questions behind it are asked of another process. */
  #passOver(refusal: Error): void {
    this.#waiting.shift()?.settle(refusal)
    const left = this.#waiting
    this.stop()
    this.#waiting = left
    if (left.length > 0) this.#start()
  }

  #receiveBody(answer: Answer, chunk: Buffer): Buffer {
    const part = chunk.subarray(0, answer.bytesLeft)
    answer.bytesLeft -= part.length
    if (answer.refusal === null) answer.chunks.push(part)
    if (answer.bytesLeft === 0) this.#finish(answer)
    return chunk.subarray(part.length)
  }

  #finish({ id, type, chunks, refusal }: Answer): void {
    this.#answer = null
    if (refusal !== null) return this.#settle(refusal)
    const body = Buffer.concat(chunks)
    this.#settle({ id, type, bytes: body.subarray(0, body.length - 1) })
  }

  #settle(outcome: GitObject | null | Error): void {
    this.#hasFailed = false
    this.#waiting.shift()?.settle(outcome)
    if (this.#waiting.length === 0) this.#rest()
  }
}
