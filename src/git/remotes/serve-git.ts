import { PassThrough, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FairGate } from '../../base/fair-gate.ts'
import { AppError } from '../../contract/app-error.ts'
import { pinnedRefsPrefix } from '../repositories/bare-repository.ts'
import { FetchAnnouncements } from './fetch-announcements.ts'
import { removePushLeftovers } from './push-leftovers.ts'
import { type GitOutcome, type GitProcess, startGit } from '../run-git.ts'

export interface GitServingDeps {
  /** Most processes at once, default 8. */
  processesMax?: number
  /** How long a request waits for one of them before it is refused, default 10 seconds. */
  waitMsMax?: number
  /** How long one process may run, default 15 minutes. */
  timeoutMs?: number
}

/** One request of the smart HTTP protocol, its path and its key judged already. */
export interface GitServiceRequest {
  /** Absolute path of a bare repository of ours. */
  gitDirectory: string
  /** Whether it is the first request, `GET …/info/refs?service=…`; else the `POST` with the body. */
  isAdvertisement: boolean
  /** The header `Git-Protocol` as it came; anything that is not written like one counts as absent. */
  protocol: string | null
  /** The body; null for an advertisement. */
  input: Readable | null
  /** Whether the body is compressed by gzip. */
  isGzipped?: boolean
  /** Most bytes of the body, uncompressed. Default 256 MiB for pushes and 16 MiB for fetches. */
  inputBytesMax?: number
}

export interface ReceivePackRequest extends GitServiceRequest {
  /** Full names of refs, or of folders of them, that a push may not touch: `refs/heads/main`. */
  protectedRefs: readonly string[]
  /** When given, full names or folders of the only refs that a push may touch: `refs/heads/`. */
  writableRefs?: readonly string[]
}

/** Git at work for one request. */
export interface GitServiceRun {
  /** The body of the answer. Destroying it stops git. */
  readonly output: Readable
  /**
   * Settles once all is over. An exit code but 0 is the client's business: it has read why.
   *
   * Rejects with `AppError` `body_too_large` or `invalid_request` for a body that is too long or not gzip, and with the
   * signal's reason.
   */
  readonly ended: Promise<Omit<GitOutcome, 'stdout'>>
}

export type GitServiceName = 'git-upload-pack' | 'git-receive-pack'

type GitSettings = readonly (readonly [name: string, value: string])[]

/** What a push changes is fixed in length; what a fetch asks for is short. */
const pushBytesMax = 256 * 1024 * 1024
const fetchBytesMax = 16 * 1024 * 1024

const waitingMax = 200

/**
 * The half of a git server that speaks with git: `upload-pack` for fetches and `receive-pack` for pushes, over streams and
 * without any HTTP. The repositories' hooks are not run, and nothing of their configuration can widen what is allowed.
 *
 * Content types of the answers are `application/x-git-upload-pack-advertisement` and `…-result`, likewise for
 * `receive-pack`; no answer may be cached.
 */
export class GitServing {
  readonly #timeoutMs: number
  readonly #gate: FairGate
  readonly #announcements = new FetchAnnouncements()

  constructor({ processesMax = 8, waitMsMax = 10_000, timeoutMs = 15 * 60_000 }: GitServingDeps = {}) {
    this.#timeoutMs = timeoutMs
    // Clones of one repository leave places for the others.
    const runningPerSubjectMax = Math.max(1, Math.ceil(processesMax * 0.75))
    this.#gate = new FairGate({ runningMax: processesMax, runningPerSubjectMax, waitingMax, waitMsMax, refuse: busy })
  }

  /**
   * Serves a fetch. Pinned commits are not listed; every object of the repository can be read by who knows its id.
   *
   * @throws {AppError} `overloaded` when all processes are busy for too long.
   */
  async startUploadPack(request: GitServiceRequest, signal: AbortSignal): Promise<GitServiceRun> {
    const key = request.isAdvertisement ? await this.#announcements.findKey(request) : null
    const known = key === null ? null : this.#announcements.get(key)
    if (known !== null) return { output: Readable.from([known]), ended: Promise.resolve({ exitCode: 0, stderr: '' }) }
    const settings = [
      ['uploadpack.hideRefs', pinnedRefsPrefix.slice(0, -1)],
      ['uploadpack.allowFilter', 'true'],
    ] as const
    const keep = (git: GitProcess) => void (key !== null && this.#announcements.keep(key, git))
    return this.#start('git-upload-pack', request, { settings, keep }, signal)
  }

  /**
   * Serves a push. Bad objects, protected refs, pushes that rewrite history and pushes over the limit are refused by git
   * itself, and the client reads why.
   *
   * @throws {AppError} `overloaded` when all processes are busy for too long.
   */
  async startReceivePack(request: ReceivePackRequest, signal: AbortSignal): Promise<GitServiceRun> {
    if (!request.isAdvertisement) await removePushLeftovers(request.gitDirectory, Date.now())
    const bytesMax = request.inputBytesMax ?? pushBytesMax
    const settings = [
      ...hiddenRefs(request).map((ref) => ['receive.hideRefs', ref] as const),
      ['receive.fsckObjects', 'true'],
      ['receive.maxInputSize', String(bytesMax)],
      ['receive.denyNonFastForwards', 'true'],
      ['receive.denyDeleteCurrent', 'refuse'],
      ['receive.autogc', 'false'],
      ['receive.updateServerInfo', 'false'],
      ['receive.advertisePushOptions', 'false'],
      ['receive.shallowUpdate', 'false'],
    ] as const
    return this.#start('git-receive-pack', request, { settings }, signal)
  }

  async #start(
    service: GitServiceName,
    request: GitServiceRequest,
    { settings, keep }: { settings: GitSettings; keep?: (git: GitProcess) => void },
    outer: AbortSignal,
  ): Promise<GitServiceRun> {
    const release = await this.#gate.acquire(request.gitDirectory, outer)
    try {
      const signal = AbortSignal.any([outer, AbortSignal.timeout(this.#timeoutMs)])
      const git = startGit({ ...buildCommand(service, request, settings), signal })
      keep?.(git)
      return serveProcess(service, request, git, release)
    } catch (error) {
      release()
      throw error
    }
  }
}

function busy(): AppError {
  const message = 'Too many fetches and pushes run at the moment. Try again in some seconds.'
  return new AppError('overloaded', message, { headers: { 'Retry-After': '5' } })
}

/**
 * The refs are hidden only while a push is carried out, not from its advertisement: a client that does not see the main
 * branch would send its whole history again.
 */
function hiddenRefs({ protectedRefs, writableRefs, isAdvertisement }: ReceivePackRequest): string[] {
  const always = [pinnedRefsPrefix, 'refs/pull/'].map((ref) => ref.slice(0, -1))
  if (isAdvertisement) return always
  const bare = (ref: string) => ref.replace(/\/+$/, '')
  const others = writableRefs === undefined ? [] : ['refs', ...writableRefs.map((ref) => `!${bare(ref)}`)]
  // Of several that match a ref, git takes the last.
  return [...others, ...always, ...protectedRefs.map(bare)]
}

function buildCommand(
  service: GitServiceName,
  { gitDirectory, isAdvertisement, protocol }: GitServiceRequest,
  settings: GitSettings,
) {
  const flags = ['--stateless-rpc', ...(isAdvertisement ? ['--http-backend-info-refs'] : [])]
  const isProtocol = protocol !== null && /^[a-z0-9]+(?:=[a-z0-9]+)?(?::[a-z0-9]+(?:=[a-z0-9]+)?){0,7}$/.test(protocol)
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return {
    gitDirectory,
    args: [...options, service.slice('git-'.length), ...flags, gitDirectory],
    hasHelpers: true,
    tidiesUp: service === 'git-receive-pack',
    ...(isProtocol && protocol.length <= 100 ? { protocol } : {}),
  }
}

function serveProcess(
  service: GitServiceName,
  request: GitServiceRequest,
  git: GitProcess,
  free: () => void,
): GitServiceRun {
  const output = new PassThrough()
  if (
    request.isAdvertisement &&
    !(service === 'git-upload-pack' && /(?:^|:)version=2(?::|$)/.test(request.protocol ?? ''))
  ) {
    output.write(announce(service))
  }
  // A client that has gone closes the output; git would go on packing for nobody.
  output.once('close', () => git.stop())
  output.on('error', () => git.stop())
  const feeding = feed(request, git, service === 'git-receive-pack' ? pushBytesMax : fetchBytesMax)
  git.stdout.pipe(output)
  // Git decides when it is over: it may have refused a push whose body is still coming.
  const ended = Promise.race([git.ended, feeding.then(() => git.ended)]).catch((error: unknown) => {
    git.stop()
    output.destroy()
    throw error
  })
  git.ended.then(free, free)
  // Who only forwards the output has not to look at the end as well.
  ended.catch(() => {})
  return { output, ended }
}

/** The line that begins an advertisement, and the packet that ends it, each with its length. */
function announce(service: GitServiceName): string {
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

/**
 * Hands the body to git. The input is read to its end even when git has refused the push before, and is not destroyed at
 * a fault, because the answer goes over the same socket.
 */
async function feed(request: GitServiceRequest, git: GitProcess, bytesMaxDefault: number): Promise<void> {
  const { input, isGzipped = false, inputBytesMax = bytesMaxDefault } = request
  if (input === null) {
    git.stdin.end()
    return
  }
  let size = 0
  for await (const chunk of readBody(input, isGzipped)) {
    size += chunk.length
    if (size > inputBytesMax) {
      throw new AppError('body_too_large', `The request has more than ${inputBytesMax} bytes. Push in smaller parts.`)
    }
    if (!git.stdin.destroyed && !git.stdin.write(chunk)) await waitForRoom(git)
  }
  git.stdin.end()
}

/** @throws {AppError} `invalid_request` when it is not gzip, and when the client goes before its end. */
async function* readBody(input: Readable, isGzipped: boolean): AsyncGenerator<Buffer> {
  const gunzip = isGzipped ? createGunzip() : null
  if (gunzip !== null) {
    input.once('close', () => input.readableEnded || gunzip.destroy(new Error('The body was cut off.')))
    input.pipe(gunzip)
  }
  try {
    for await (const chunk of (gunzip ?? input).iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (error) {
    throw new AppError('invalid_request', 'The body ended too early or is not gzip. Send it again.', { cause: error })
  } finally {
    gunzip?.destroy()
  }
}

/** Git that ends while it is waited for closes its input. */
function waitForRoom({ stdin }: GitProcess): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stdin.off('drain', go)
      stdin.off('close', go)
      resolve()
    }
    stdin.once('drain', go)
    stdin.once('close', go)
  })
}
