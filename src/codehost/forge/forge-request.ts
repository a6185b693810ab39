import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Log } from '../../telemetry/log.ts'
import { readBodyStart } from '../../base/body-start.ts'
import { ForgeError } from './forge-error.ts'

export interface ForgeRequestDeps {
  clock: Clock
  log: Log
  /** Resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** In [0, 1). */
  random(): number
  /** Must not follow redirects. */
  fetch: typeof fetch
}

export interface ForgeRequestRules {
  /** The forge's name in messages, such as `GitHub (github.com)`. */
  forge: string
  /**
   * Whether a request may be sent again although it may have been carried out (lost reply, server fault). True by
   * default.
   */
  isRepeatable?(method: string, url: URL): boolean
  /** Called with the new address when the forge redirects, as it does for renamed repositories. */
  onMoved?(url: URL): void
  /** Time limit of one attempt, including its response; 30 seconds by default. */
  timeoutMs?: number
}

const timeoutMsDefault = 30_000
const attemptsMax = 5
const redirectsMax = 3
const responseBytesMax = 32 * 1024 * 1024
const backOffMs = 500
const backOffMsMax = 8_000
/** Longer waits are not waited out; the job is requeued instead. */
const waitMsMax = 60_000
const waitMsTotalMax = 120_000

/**
 * A `fetch` for forge clients: retries transient failures (network and server faults, and rate limits, for as long as
 * the host asks), follows redirects within the forge's origin, and bounds the time and size of every response. Any
 * other response is returned, whatever its status.
 *
 * @throws {ForgeError} `unavailable` or `rate-limited` once retries are exhausted, `invalid` for a redirect elsewhere.
 * @throws {AppError} thrown by `fetch`, such as for an address that the settings do not allow.
 * @throws The abort reason of the request's signal.
 */
export function createForgeFetch(deps: ForgeRequestDeps, rules: ForgeRequestRules): typeof fetch {
  return async (target, init = {}) => {
    // A `Request` carries a body that can be read only once, so it cannot be retried.
    if (target instanceof Request) throw new TypeError('Pass an address, not a Request.')
    const request = new RepeatedRequest(deps, rules, new URL(target), init)
    return request.run()
  }
}

type Attempt = { kind: 'answer'; response: Response } | { kind: 'again'; waitMs: number; error: ForgeError }

/** One request with all its attempts. */
class RepeatedRequest {
  readonly #deps: ForgeRequestDeps
  readonly #rules: ForgeRequestRules
  readonly #init: RequestInit
  readonly #signal: AbortSignal
  readonly #method: string
  #url: URL
  #attempts = 0
  #redirects = 0
  #waitedMs = 0

  constructor(deps: ForgeRequestDeps, rules: ForgeRequestRules, url: URL, init: RequestInit) {
    this.#deps = deps
    this.#rules = rules
    this.#url = url
    this.#init = init
    this.#signal = init.signal ?? new AbortController().signal
    this.#method = (init.method ?? 'GET').toUpperCase()
  }

  async run(): Promise<Response> {
    for (;;) {
      const attempt = await this.#try()
      if (attempt.kind === 'answer') {
        if (!this.#follow(attempt.response)) return attempt.response
        continue
      }
      await this.#wait(attempt)
    }
  }

  async #try(): Promise<Attempt> {
    this.#signal.throwIfAborted()
    const { timeoutMs = timeoutMsDefault } = this.#rules
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)])
    try {
      const answer = await this.#deps.fetch(this.#url, { ...this.#init, redirect: 'manual', signal })
      return await this.#classify(await bufferResponse(answer))
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason
      if (error instanceof AppError) throw error
      const reason = signal.aborted ? `did not answer within ${timeoutMs / 1000} seconds` : 'cannot be reached'
      return this.#repeatAfterFault(reason, null, error)
    }
  }

  async #classify(response: Response): Promise<Attempt> {
    const limit = await readRateLimit(response, this.#deps.clock.now())
    if (limit !== null) {
      const message = `${this.#rules.forge} is limiting requests. Try again ${describeWait(limit.retryAfterMs)}.`
      const error = new ForgeError('rate-limited', message, { retryAfterMs: limit.retryAfterMs })
      return { kind: 'again', waitMs: limit.retryAfterMs, error }
    }
    if (response.status < 500) return { kind: 'answer', response }
    const retryAfterMs = readRetryAfter(response, this.#deps.clock.now())
    return this.#repeatAfterFault(`failed with status ${response.status}`, retryAfterMs)
  }

  /** @throws {ForgeError} immediately if the request may have been carried out and is not repeatable. */
  #repeatAfterFault(what: string, retryAfterMs: number | null, cause?: unknown): Attempt {
    const message = `${this.#rules.forge} ${what}. Try again later. If the problem persists, check that it is up and reachable from this server.`
    const error = new ForgeError('unavailable', message, { retryAfterMs, cause })
    if (this.#rules.isRepeatable?.(this.#method, this.#url) === false) throw error
    const grown = Math.min(backOffMsMax, backOffMs * 2 ** this.#attempts)
    return { kind: 'again', waitMs: retryAfterMs ?? Math.round(grown * (0.5 + this.#deps.random() / 2)), error }
  }

  async #wait({ waitMs, error }: Extract<Attempt, { kind: 'again' }>): Promise<void> {
    this.#attempts += 1
    this.#waitedMs += waitMs
    if (this.#attempts >= attemptsMax || waitMs > waitMsMax || this.#waitedMs > waitMsTotalMax) throw error
    const { host } = this.#url
    this.#deps.log.info({ host, reason: error.reason, attempts: this.#attempts, waitMs }, 'forge-request-repeated')
    await this.#deps.sleep(waitMs, this.#signal)
  }

  /**
   * @returns Whether the response is a redirect; the next attempt sends the same method and body to the new address.
   */
  #follow({ status, headers }: Response): boolean {
    const location = headers.get('location')
    if (![301, 302, 307, 308].includes(status) || location === null) return false
    const next = URL.canParse(location, this.#url) ? new URL(location, this.#url) : null
    this.#redirects += 1
    if (next?.origin !== this.#url.origin || this.#redirects > redirectsMax) {
      throw new ForgeError(
        'invalid',
        `${this.#rules.forge} redirects to another host. Check the repository's address, and use the one that it redirects to.`,
      )
    }
    this.#rules.onMoved?.(next)
    this.#url = next
    return true
  }
}

function describeWait(ms: number): string {
  if (ms < 90_000) return `in ${Math.max(1, Math.ceil(ms / 1000))} seconds`
  return `in ${Math.ceil(ms / 60_000)} minutes`
}

/** Statuses without a body, which the `Response` constructor rejects if given one. */
const withoutBody = new Set([204, 205, 304])

/**
 * Buffers a response, so that a connection lost midway counts as a failed attempt. The length header may be that of the
 * compressed body.
 *
 * @throws {Error} above 32 MiB, and any read error.
 */
async function bufferResponse({ status, headers, body }: Response): Promise<Response> {
  const { bytes, isWhole } = await readBodyStart(body, responseBytesMax)
  if (!isWhole) throw new Error(`The response is larger than ${responseBytesMax} bytes.`)
  return new Response(withoutBody.has(status) ? null : new Uint8Array(bytes), { status, headers })
}

/** GitHub's documented minimum wait at a secondary limit that names none. */
const waitMsDefault = 60_000

/**
 * Detects a rate limit and the wait that the forge asks for.
 *
 * GitHub answers 403 at some of its limits, distinguishable from a refusal only by headers or wording; all forges
 * answer 429.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
async function readRateLimit(response: Response, now: number): Promise<{ retryAfterMs: number } | null> {
  const { status, headers } = response
  if (status !== 429 && !(status === 403 && (await isLimit(response)))) return null
  return { retryAfterMs: readRetryAfter(response, now) ?? readReset(headers, now) ?? waitMsDefault }
}

async function isLimit(response: Response): Promise<boolean> {
  const { headers } = response
  if (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0') return true
  return /secondary rate limit|abuse detection/i.test(await response.clone().text())
}

/** `Retry-After` in milliseconds, from seconds or a date; null if absent or unreadable. */
function readRetryAfter({ headers }: Response, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Reset time in epoch seconds: GitHub and Gitea use the first name, GitLab the second. */
function readReset(headers: Headers, now: number): number | null {
  const text = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  if (text === null || !/^\d{1,12}$/.test(text)) return null
  return Math.max(0, Number(text) * 1000 - now)
}
