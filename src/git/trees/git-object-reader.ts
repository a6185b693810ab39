import { startGit, type GitProcess } from '../run-git.ts'

/** Reads objects of one repository through one process, in about a tenth of a millisecond each. */
export interface GitObjectReader {
  /** @throws {Error} if there is no such blob, it is over the limit, or the reader is closed. */
  readBlob(id: string): Promise<Uint8Array>
  /** Idempotent. Pending reads are rejected. */
  close(): void
}

export interface GitObjectReaderOptions {
  gitDirectory: string
  /** Larger blobs are rejected without being buffered. */
  blobBytesMax: number
  /** The process is stopped if an answer is due and it stays silent for this long. */
  silenceMsMax: number
}

interface WaitingRead {
  id: string
  resolve(bytes: Uint8Array): void
  reject(error: Error): void
}

/** The answer being received; null between two answers. */
interface Answer {
  /** Including the final line feed. */
  bytesLeft: number
  chunks: Buffer[]
  refusal: string | null
}

/** Aborting the signal closes the reader. */
export function openGitObjectReader(options: GitObjectReaderOptions, signal: AbortSignal): GitObjectReader {
  signal.throwIfAborted()
  const git = startGit({ gitDirectory: options.gitDirectory, args: ['cat-file', '--batch'], signal })
  return new BatchReader(git, options, signal)
}

/**
 * The protocol of `git cat-file --batch`: answers come in the order of the requests, each as `<id> <type> <size>`, the
 * bytes and a line feed, or as `<id> missing`.
 */
class BatchReader implements GitObjectReader {
  readonly #git: GitProcess
  readonly #options: GitObjectReaderOptions
  readonly #signal: AbortSignal
  readonly #waiting: WaitingRead[] = []
  #header = ''
  #answer: Answer | null = null
  #closedBecause: Error | null = null
  #watchdog: NodeJS.Timeout | null = null

  /** Immediately, because answers already sent may still arrive before the process ends. */
  readonly #cancel = () =>
    this.#fail(
      this.#signal.reason instanceof Error
        ? this.#signal.reason
        : new Error('Reading was cancelled.', { cause: this.#signal.reason }),
    )

  constructor(git: GitProcess, options: GitObjectReaderOptions, signal: AbortSignal) {
    this.#git = git
    this.#options = options
    this.#signal = signal
    signal.addEventListener('abort', this.#cancel, { once: true })
    git.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    git.ended.then(
      ({ stderr }) => this.#fail(new Error(`git cat-file ended too early: ${stderr.trim() || 'no reason given'}.`)),
      (error: unknown) =>
        this.#fail(error instanceof Error ? error : new Error('Reading was cancelled.', { cause: error })),
    )
  }

  readBlob(id: string): Promise<Uint8Array> {
    if (this.#closedBecause) return Promise.reject(this.#closedBecause)
    if (!/^[0-9a-f]{40,64}$/.test(id)) return Promise.reject(new Error(`"${id}" is not a git object id.`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject })
      this.#git.stdin.write(`${id}\n`)
      if (this.#waiting.length === 1) this.#watch()
    })
  }

  close(): void {
    this.#fail(new Error('The commit was closed: open it again to read from it.'))
  }

  #fail(error: Error): void {
    if (this.#closedBecause) return
    this.#closedBecause = error
    this.#signal.removeEventListener('abort', this.#cancel)
    if (this.#watchdog) clearTimeout(this.#watchdog)
    this.#git.stop()
    for (const read of this.#waiting.splice(0)) read.reject(error)
  }

  #watch(): void {
    if (this.#watchdog) clearTimeout(this.#watchdog)
    if (this.#waiting.length === 0) return
    const { silenceMsMax } = this.#options
    this.#watchdog = setTimeout(
      () => this.#fail(new Error(`git cat-file was silent for ${silenceMsMax} ms and was stopped.`)),
      silenceMsMax,
    )
  }

  #receive(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0 && !this.#closedBecause) {
      rest = this.#answer ? this.#receiveBody(this.#answer, rest) : this.#receiveHeader(rest)
    }
    if (!this.#closedBecause) this.#watch()
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

  #begin(header: string): void {
    const id = this.#waiting[0]?.id
    const [answeredId, type, size] = header.split(' ')
    if (id === undefined || answeredId !== id)
      return this.#fail(new Error(`git cat-file answered "${header}", which was not requested.`))
    if (type === 'missing')
      return this.#waiting.shift()?.reject(new Error(`The repository lacks the object ${id}: it was not fetched.`))

    const bytes = Number(size)
    if (!Number.isSafeInteger(bytes))
      return this.#fail(new Error(`git cat-file answered "${header}", which cannot be parsed.`))
    this.#answer = { bytesLeft: bytes + 1, chunks: [], refusal: this.#refuse(type, bytes) }
  }

  #refuse(type: string | undefined, bytes: number): string | null {
    if (type !== 'blob') return `The object is a ${type}, not the content of a file.`
    const { blobBytesMax } = this.#options
    return bytes > blobBytesMax ? `The file has ${bytes} bytes, and at most ${blobBytesMax} are read.` : null
  }

  #receiveBody(answer: Answer, chunk: Buffer): Buffer {
    const part = chunk.subarray(0, answer.bytesLeft)
    answer.bytesLeft -= part.length
    if (answer.refusal === null) answer.chunks.push(part)
    if (answer.bytesLeft === 0) this.#finish(answer)
    return chunk.subarray(part.length)
  }

  #finish({ chunks, refusal }: Answer): void {
    this.#answer = null
    const read = this.#waiting.shift()
    if (refusal !== null) return read?.reject(new Error(refusal))
    const body = Buffer.concat(chunks)
    read?.resolve(body.subarray(0, body.length - 1))
  }
}
