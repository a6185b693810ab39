import { PassThrough, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FairGate } from '../../base/fair-gate.ts'
import { AppError } from '../../contract/app-error.ts'
import { reservedRefsPrefix } from '../repositories/bare-repository.ts'
import { FetchAnnouncements } from './fetch-announcements.ts'
import { rewriteRefusals } from './rewrite-refusals.ts'
import { removePushLeftovers } from './push-leftovers.ts'
import { type GitOutcome, type GitProcess, startGit } from '../run-git.ts'

export interface GitServingDeps {
  /** Most concurrent processes. */
  runningMax?: number
  /** How long a request waits for a process slot before it is rejected. */
  waitMsMax?: number
  /** Time limit of one process, default 15 minutes. */
  timeoutMs?: number
}

/** One request of the smart HTTP protocol whose path and key have been checked. */
export interface GitServiceRequest {
  /** Absolute path of one of our bare repositories. */
  gitDirectory: string
  /** Whether this is the first request, `GET …/info/refs?service=…`, rather than the `POST` with the body. */
  isAdvertisement: boolean
  /** The raw header `Git-Protocol`; a malformed one counts as absent. */
  protocol: string | null
  /** The body; null for an advertisement. */
  input: Readable | null
  /** Whether the body is compressed by gzip. */
  isGzipped?: boolean
  /** Most bytes of the body, uncompressed. Default 256 MiB for pushes and 16 MiB for fetches. */
  inputBytesMax?: number
}

export interface ReceivePackRequest extends GitServiceRequest {
  /** Full names of refs or ref folders that a push may not change: `refs/heads/main`. */
  protectedRefs: readonly string[]
  /** If set, full names of the only refs or ref folders that a push may change: `refs/heads/`. */
  writableRefs?: readonly string[]
}

/** The git process of one request. */
export interface GitServiceRun {
  /** The body of the response. Destroying it stops git. */
  readonly output: Readable
  /**
   * Resolves when everything is done. A nonzero exit code is the client's concern: git has sent it the reason.
   *
   * Rejects with `AppError` `body_too_large` or `invalid_request` for a body that is too large or not gzip, and with
   * the signal's abort reason.
   */
  readonly ended: Promise<Omit<GitOutcome, 'stdout'>>
}

export type GitServiceName = 'git-upload-pack' | 'git-receive-pack'

type GitSettings = readonly (readonly [name: string, value: string])[]

/** Bounds a push's pack and a fetch's request, which is short. */
const pushBytesMax = 256 * 1024 * 1024
const fetchBytesMax = 16 * 1024 * 1024

/** Concurrent fetches and pushes, and those that wait. Clones of one repository leave places for the others. */
export const gitGate = { runningMax: 8, runningPerSubjectMax: 6, waitingMax: 200, waitMsMax: 10_000 } as const

/**
 * The git side of a git server: `upload-pack` for fetches and `receive-pack` for pushes, over streams, without HTTP.
 * The repositories' hooks do not run, and their configuration cannot extend what is allowed.
 *
 * The content types are `application/x-git-upload-pack-advertisement` and `…-result`, likewise for `receive-pack`; no
 * response may be cached.
 */
export class GitServing {
  readonly #timeoutMs: number
  readonly #gate: FairGate
  readonly #announcements = new FetchAnnouncements()

  constructor({ timeoutMs = 15 * 60_000, ...gate }: GitServingDeps = {}) {
    this.#timeoutMs = timeoutMs
    this.#gate = new FairGate({ ...gitGate, ...gate, refuse: busy })
  }

  /**
   * Serves a fetch. Reserved refs are not listed, but any object of the repository can be read by id.
   *
   * @throws {AppError} `overloaded` if all processes stay busy for too long.
   */
  async startUploadPack(request: GitServiceRequest, signal: AbortSignal): Promise<GitServiceRun> {
    const key = request.isAdvertisement ? await this.#announcements.findKey(request) : null
    const known = key === null ? null : this.#announcements.get(key)
    if (known !== null) return { output: Readable.from([known]), ended: Promise.resolve({ exitCode: 0, stderr: '' }) }
    const settings = [
      ['uploadpack.hideRefs', reservedRefsPrefix.slice(0, -1)],
      ['uploadpack.allowFilter', 'true'],
    ] as const
    const keep = (git: GitProcess) => void (key !== null && this.#announcements.keep(key, git))
    return this.#start('git-upload-pack', request, { settings, keep }, signal)
  }

  /**
   * Serves a push. Git itself rejects bad objects, protected refs, history rewrites and oversized pushes, and tells the
   * client why.
   *
   * @throws {AppError} `overloaded` if all processes stay busy for too long.
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
  const message = 'Too many fetches and pushes are running. Try again in a few seconds.'
  return new AppError('overloaded', message)
}

/**
 * Refs are hidden only while the push runs, not from its advertisement: a client that does not see the main branch
 * would send its whole history again.
 */
function hiddenRefs({ protectedRefs, writableRefs, isAdvertisement }: ReceivePackRequest): string[] {
  const always = [reservedRefsPrefix, 'refs/pull/'].map((ref) => ref.slice(0, -1))
  if (isAdvertisement) return always
  const bare = (ref: string) => ref.replace(/\/+$/, '')
  const others = writableRefs === undefined ? [] : ['refs', ...writableRefs.map((ref) => `!${bare(ref)}`)]
  // Git applies the last matching entry.
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
    cleansUp: service === 'git-receive-pack',
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
  // A client that disconnects closes the output; git would otherwise keep packing.
  output.once('close', () => git.stop())
  output.on('error', () => git.stop())
  const feeding = feed(request, git, service === 'git-receive-pack' ? pushBytesMax : fetchBytesMax)
  const said = service === 'git-receive-pack' ? git.stdout.pipe(rewriteRefusals()) : git.stdout
  said.pipe(output)
  // Git decides when it is done: it may have rejected a push whose body is still arriving.
  const ended = Promise.race([git.ended, feeding.then(() => git.ended)]).catch((error: unknown) => {
    git.stop()
    output.destroy()
    throw error
  })
  git.ended.then(free, free)
  // Callers that only forward the output need not check the exit status.
  ended.catch(() => {})
  return { output, ended }
}

/** The first line of an advertisement and the flush packet, each with its length. */
function announce(service: GitServiceName): string {
  const line = `# service=${service}\n`
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
}

/**
 * Feeds the body to git. The input is always read to its end, even if git has already rejected the push, and never
 * destroyed on an error, because the response uses the same socket.
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
      throw new AppError('body_too_large', `The request is larger than ${inputBytesMax} bytes. Push in smaller parts.`)
    }
    if (!git.stdin.destroyed && !git.stdin.write(chunk)) await waitForRoom(git)
  }
  git.stdin.end()
}

/** @throws {AppError} `invalid_request` if it is not gzip, or the client disconnects before its end. */
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

/** Git closes its input when it exits during the wait. */
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
