import type { z } from 'zod'
import { forges } from '../../contract/code-hosts.ts'
import { explainRefusal, type ForgeRemedies } from './explain-refusal.ts'
import { ForgeError } from './forge-error.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from './forge-host.ts'
import type { ForgePage, ForgePaging } from './forge-paging.ts'
import { createForgeFetch, type ForgeRequestRules } from './forge-request.ts'
import { parseJson } from './forge-response.ts'

/** What a person made, as opposed to an App. */
export type ForgeTokenCredential = Extract<ForgeCredential, { kind: 'token' }>

/** What differs between the APIs of the kinds. */
export interface ForgeClientRules extends Pick<ForgeRequestRules, 'isRepeatable'> {
  /** Base path of the API below the forge's origin, without a trailing slash. */
  apiPath: string
  /** The headers that a token is sent in. Of several, the next is tried when the forge does not take the one before. */
  authorize(credential: ForgeTokenCredential): readonly Readonly<Record<string, string>>[]
  paging: ForgePaging
  remedies: ForgeRemedies
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

/** A paged list. */
export interface ForgeList<Item> extends Pick<ForgeCall<Item>, 'path' | 'query'> {
  item: z.ZodType<Item>
}

const wordsCharsMax = 300
const pagesMax = 10

/** Asks the interface of a forge in JSON, and reads what it answers. */
export class ForgeClient {
  readonly #rules: ForgeClientRules
  readonly #repository: ForgeRepository
  /** For sentences: its product name and its address. */
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

  /** The credential as it is now. @throws {AppError} `code_host_refused` for one that this forge cannot be asked with. */
  async readCredential(signal: AbortSignal): Promise<ForgeTokenCredential | null> {
    const credential = await this.#readCredential(signal)
    if (credential === null || credential.kind === 'token') return credential
    throw new ForgeError('unauthorized', `${this.#name} takes tokens only. Give one as the credential of the site.`)
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
    // Where nothing is read, the type of what is returned says so.
    if (reply === null) return undefined as Reply
    const parsed = reply.safeParse(body)
    if (parsed.success) return parsed.data
    const message = `${this.#name} sent an unexpected reply at ${path.slice(0, 200)}. Check the address and the version.`
    throw new ForgeError('unavailable', message, { cause: parsed.error })
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
