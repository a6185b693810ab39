import type { z } from 'zod'
import { forges } from '../../contract/code-hosts.ts'
import { ForgeError, hasReason } from './forge-error.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from './forge-host.ts'
import type { ForgePage, ForgePaging } from './forge-paging.ts'
import { createForgeFetch, type ForgeRequestRules } from './forge-request.ts'
import { parseJson } from '../../base/parse-json.ts'

/** A person's credential, as opposed to an App's. */
export type ForgeTokenCredential = Extract<ForgeCredential, { kind: 'token' }>

/** What differs between the APIs of the kinds. */
export interface ForgeClientRules extends Pick<ForgeRequestRules, 'isRepeatable'> {
  /** Base path of the API below the forge's origin, without a trailing slash. */
  apiPath: string
  /** Headers that carry a token, as alternatives: the next is tried if the forge rejects the previous one. */
  authorize(credential: ForgeTokenCredential): readonly Readonly<Record<string, string>>[]
  paging: ForgePaging
  remedies: ForgeRemedies
}

export interface ForgeCall<Reply> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Relative to the API's base path, with a leading slash and encoded segments. */
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** Schema of the reply; null if it does not matter. */
  reply: z.ZodType<Reply> | null
}

export interface ForgeList<Item> extends Pick<ForgeCall<Item>, 'path' | 'query'> {
  item: z.ZodType<Item>
}

const wordsCharsMax = 300
const pagesMax = 10

/** Sends JSON requests to a forge's API and parses the replies. */
export class ForgeClient {
  readonly #rules: ForgeClientRules
  readonly #repository: ForgeRepository
  /** Product name and address, for messages. */
  readonly #name: string
  readonly #fetch: typeof fetch
  readonly #readCredential: ForgeHostDeps['readCredential']

  constructor(deps: ForgeHostDeps, repository: ForgeRepository, rules: ForgeClientRules) {
    this.#rules = rules
    this.#repository = repository
    this.#name = `${forges[repository.kind].label} (${repository.origin.replace(/^https?:\/\//, '')})`
    this.#fetch = createForgeFetch(deps, { ...rules, forge: this.#name })
    this.#readCredential = (signal) => deps.readCredential(signal)
  }

  /** The current credential. @throws {AppError} `code_host_refused` if it is of a kind this forge does not take. */
  async readCredential(signal: AbortSignal): Promise<ForgeTokenCredential | null> {
    const credential = await this.#readCredential(signal)
    if (credential === null || credential.kind === 'token') return credential
    throw new ForgeError('unauthorized', `${this.#name} accepts only tokens. Store one as the credential of the site.`)
  }

  /**
   * If the forge rejects the credential, it is reread and the call repeated once if it has changed: it may have been
   * replaced while a job ran.
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

  /** Like `call`, but null for `not-found`. */
  async find<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply | null> {
    return this.call(call, signal).catch((error: unknown) => {
      if (hasReason(error, 'not-found')) return null
      throw error
    })
  }

  /** At most ten pages. @throws {ForgeError} */
  async *pages<Item>(
    { path, query = {}, item }: ForgeList<Item>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Item[]> {
    const { paging } = this.#rules
    let start: number | null = null
    for (let count = 0; count < pagesMax; count++) {
      const reply: z.ZodType<ForgePage<Item>> = paging.page(item, start)
      const { items, next }: ForgePage<Item> = await this.call(
        { path, query: { ...query, ...paging.query(start) }, reply },
        signal,
      )
      yield items
      if (next === null) return
      start = next
    }
  }

  async #send<Reply>(
    { method = 'GET', path, query = {}, body }: ForgeCall<Reply>,
    credential: ForgeTokenCredential | null,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(`${this.#repository.origin}${this.#rules.apiPath}${path}`)
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
      const refusal = { status: response.status, words, body, hasCredential: credential !== null }
      const { remedies } = this.#rules
      throw explainRefusal(refusal, { name: this.#name, path: this.#repository.path, remedies })
    }
    // Callers without a schema expect no reply.
    if (reply === null) return undefined as Reply
    const parsed = reply.safeParse(body)
    if (parsed.success) return parsed.data
    const message = `${this.#name} sent an unexpected reply at ${path.slice(0, 200)}. Check the address and the version.`
    throw new ForgeError('unavailable', message, { cause: parsed.error })
  }
}

/** Forges give the reason for an error as a string, a list of strings, or lists of strings by field. */
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

/** A forge's error reply. */
interface ForgeRefusal {
  /** Below 500. */
  status: number
  /** The forge's own words, on one line of at most 300 characters, without the token. */
  words: string
  /** The parsed body; null if it is not JSON. */
  body: unknown
  hasCredential: boolean
}

/** Remedies for the repository's owner, in the forge's terms. */
interface ForgeRemedies {
  /** The token to create, such as `with the scope "api"`. */
  token: string
  /** How to give its account write access, such as `Give it the role Developer there`. */
  write: string
  /** The membership its account needs to see the repository, such as `a member`. */
  membership: string
  /** A remedy for a token that gives access to the repository, but not through git. */
  git: string
  /** Finds the missing scope; null if the forge does not name one. */
  readMissingScope(refusal: ForgeRefusal): string | null
}

/** @param forge.name Shown in messages, such as `GitLab (gitlab.com)`. */
function explainRefusal(
  refusal: ForgeRefusal,
  { name, path, remedies }: { name: string; path: string; remedies: ForgeRemedies },
): ForgeError {
  const { status, words } = refusal
  const scope = remedies.readMissingScope(refusal)
  if (scope !== null) {
    return new ForgeError(
      'forbidden',
      `The token for ${name} lacks "${scope}". Create one ${remedies.token} and store it as the credential of the site.`,
    )
  }
  switch (status) {
    case 401:
      return new ForgeError('unauthorized', explainUnauthorized(name, remedies.token, refusal.hasCredential))
    case 403:
    case 423:
      return new ForgeError(
        'forbidden',
        `${name} does not let the token's account do this in ${path}${quote(words)}. ${remedies.write}, and check the branch rules.`,
      )
    case 404:
      return new ForgeError(
        'not-found',
        `${name} does not show ${path}, or the requested item in it. Check the address, and that the token's account is ${remedies.membership}.`,
      )
    case 405:
    case 409:
    case 412:
      return new ForgeError(
        'conflict',
        `${name} cannot do this to ${path} in its current state${quote(words)}. Try again.`,
      )
    default:
      return new ForgeError('invalid', `${name} rejected the request (${status})${quote(words)}.`)
  }
}

function explainUnauthorized(name: string, token: string, hasCredential: boolean): string {
  if (!hasCredential) return `${name} requires a token. Store one ${token} as the credential of the site.`
  return `${name} rejected the token: it is wrong, has expired or was revoked. Create a new one ${token} and store it as the credential of the site.`
}

function quote(words: string): string {
  return words === '' ? '' : `: ${words.replace(/[.\s]+$/, '')}`
}
