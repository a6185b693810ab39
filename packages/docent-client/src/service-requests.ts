import { getSession } from './get-session.ts'
import { DocentError, readError } from './docent-error.ts'

export interface ServiceOptions {
  /** Address of the service, such as `https://docent.example.com`. Default: the host of the page. */
  url?: string | undefined
  /** The site's slug or one of its host names. */
  site: string
  /** Assistant key. It is public in a web page, so create it for a website. Omit it if a server of yours adds it. */
  key?: string | undefined
  /** Further headers for every request. */
  headers?: Readonly<Record<string, string>> | undefined
  fetch?: typeof fetch | undefined
}

/** Requests to one site: with its key, with a session once the service requires one, and with errors as sentences. */
export class ServiceRequests {
  readonly #options: ServiceOptions
  #session: string | null = null

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** @param path Below `/discovery/v2/`; the site stands for `{site}`. */
  address(path: string): string {
    const { url = '', site } = this.#options
    return `${url.replace(/\/+$/, '')}/discovery/v2/${path.replace('{site}', encodeURIComponent(site))}`
  }

  /** @throws {DocentError} if the request is refused or not answered. */
  async send(address: RequestInfo | URL, init: RequestInit): Promise<Response> {
    const response = await this.#fetch(address, init)
    if (response.ok) return response
    const error = await readError(response)
    if (error.code !== 'session_required') throw error
    this.#session = await this.#openSession(init.signal)
    const again = await this.#fetch(address, init)
    if (!again.ok) throw await readError(again)
    return again
  }

  /** Sends JSON and reads JSON. */
  async post<Reply>(path: string, body: object, signal?: AbortSignal | null): Promise<Reply> {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null }
    const response = await this.send(this.address(path), init)
    // The service's own reply, whose type is generated from its schema.
    return (await response.json()) as Reply
  }

  #openSession(signal: AbortSignal | null | undefined): Promise<string> {
    return getSession((body) => this.post('session/{site}', body, signal), signal)
  }

  async #fetch(address: RequestInfo | URL, init: RequestInit): Promise<Response> {
    const { fetch: ownFetch = fetch, headers, key } = this.#options
    const all = {
      ...Object.fromEntries(new Headers(init.headers)),
      ...headers,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(this.#session !== null && { 'X-Docent-Session': this.#session }),
    }
    try {
      return await ownFetch(address, { ...init, headers: all })
    } catch (error) {
      // What `fetch` throws without a reply. Everything else is an aborted request or an error of the application.
      if (!(error instanceof TypeError)) throw error
      throw new DocentError('The assistant cannot be reached. Check your connection and ask again.', 'unreachable', {
        cause: error,
      })
    }
  }
}
