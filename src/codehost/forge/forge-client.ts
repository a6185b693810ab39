import type { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { ForgeError } from './forge-error.ts'
import type { ForgeCredential, ForgeHostDeps } from './forge-host.ts'
import { createForgeFetch, type ForgeRequestRules } from './forge-request.ts'

/** What a person made, as opposed to an App. */
export type ForgeTokenCredential = Extract<ForgeCredential, { kind: 'token' }>

export interface ForgeClientRules extends Pick<ForgeRequestRules, 'isRepeatable'> {
  /** The forge in sentences, such as `GitLab (gitlab.com)`. */
  forge: string
  /** Where its interface begins, such as `https://gitlab.com/api/v4`, without a slash at the end. */
  api: string
  /** The headers that a token is sent in. Of several, the next is tried when the forge does not take the one before. */
  authorize(credential: ForgeTokenCredential): readonly Readonly<Record<string, string>>[]
  /** The sentence for a refusal. Statuses are below 500. */
  explain(refusal: ForgeRefusal): ForgeError
}

/** What the forge answered instead of what was asked for. */
export interface ForgeRefusal {
  status: number
  /** The forge's own words, on one line of at most 300 characters, without the token. */
  words: string
  /** The parsed body; null where it is not JSON. */
  body: unknown
  hasCredential: boolean
}

export interface ForgeCall<Reply> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Below the beginning of the interface, with a slash first and encoded parts. */
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** What is read of the answer; null where it does not matter. */
  reply: z.ZodType<Reply> | null
}

const wordsCharsMax = 300

/** Asks the interface of a forge in JSON, and reads what it answers. */
export class ForgeClient {
  readonly #rules: ForgeClientRules
  readonly #fetch: typeof fetch
  readonly #readCredential: ForgeHostDeps['readCredential']

  constructor(deps: ForgeHostDeps, rules: ForgeClientRules) {
    this.#rules = rules
    this.#fetch = createForgeFetch(deps, rules)
    this.#readCredential = (signal) => deps.readCredential(signal)
  }

  /** The credential as it is now. @throws {AppError} `code_host_refused` for one that this forge cannot be asked with. */
  async readCredential(signal: AbortSignal): Promise<ForgeTokenCredential | null> {
    const credential = await this.#readCredential(signal)
    if (credential === null || credential.kind === 'token') return credential
    throw new ForgeError(
      'unauthorized',
      `${this.#rules.forge} takes tokens only. Give one as the credential of the site.`,
    )
  }

  /**
   * A credential that the forge does not take is read again, and the call repeated once if it has changed: a person may
   * have put another in its place while a job ran.
   *
   * @throws {ForgeError}
   */
  async call<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply> {
    const credential = await this.readCredential(signal)
    const first = await this.#send(call, credential, signal)
    if (first.status !== 401) return this.#read(call, first, credential)
    const now = await this.readCredential(signal)
    if (now?.token === credential?.token) return this.#read(call, first, credential)
    return this.#read(call, await this.#send(call, now, signal), now)
  }

  /** Like `call`; null where the forge has no such thing. */
  async find<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply | null> {
    return this.call(call, signal).catch((error: unknown) => {
      if (error instanceof ForgeError && error.reason === 'not-found') return null
      throw error
    })
  }

  async #send<Reply>(
    { method = 'GET', path, query = {}, body }: ForgeCall<Reply>,
    credential: ForgeTokenCredential | null,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(`${this.#rules.api}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const [first = {}, ...others] = credential === null ? [{}] : this.#rules.authorize(credential)
    const send = (authorization: Readonly<Record<string, string>>) => {
      const headers = { accept: 'application/json', 'user-agent': 'Docent', ...content, ...authorization }
      return this.#fetch(url, { method, headers, ...payload, signal })
    }
    let response = await send(first)
    for (const authorization of others) {
      if (response.status !== 401) break
      response = await send(authorization)
    }
    return response
  }

  async #read<Reply>(
    { reply, path }: ForgeCall<Reply>,
    response: Response,
    credential: ForgeTokenCredential | null,
  ): Promise<Reply> {
    const text = await response.text()
    const body = parseJson(text)
    if (!response.ok) {
      const words = describeWords(body, credential)
      throw this.#rules.explain({ status: response.status, words, body, hasCredential: credential !== null })
    }
    // Where nothing is read, the type of what is returned says so.
    if (reply === null) return undefined as Reply
    const parsed = reply.safeParse(body)
    if (parsed.success) return parsed.data
    const { cause, message } = { cause: parsed.error, message: `${this.#rules.forge} answers in an unknown form` }
    throw new ForgeError('unavailable', `${message} at ${path.slice(0, 200)}. Check the address, and its version.`, {
      cause,
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Forges write why they refuse as a text, a list of texts, or lists of texts by field. */
function describeWords(body: unknown, credential: ForgeTokenCredential | null): string {
  const words = findTexts(body).join('; ').replace(/\s+/g, ' ').trim()
  const clean = credential === null ? words : words.replaceAll(credential.token, '(hidden)')
  return clean.slice(0, wordsCharsMax)
}

function findTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(findTexts)
  if (typeof value !== 'object' || value === null) return []
  const { message, error, error_description: description } = value as Record<string, unknown>
  const named = [message, error, description].filter((part) => part !== undefined && part !== null)
  return named.length > 0 ? named.flatMap(findTexts) : Object.values(value).flatMap(findTexts)
}

/** Whether an error is the host's word that something is not there, or not to be changed so. */
export function hasReason(error: unknown, ...reasons: readonly ForgeError['reason'][]): error is ForgeError {
  return error instanceof ForgeError && reasons.includes(error.reason)
}

/** The forge in sentences: by the name that people know it by, and by its address. */
export function describeForge(name: string, origin: string): string {
  return `${name} (${origin.replace(/^https?:\/\//, '')})`
}

export function refuse(message: string): AppError {
  return new AppError('invalid_request', message)
}
