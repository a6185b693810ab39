import { DocentError } from '../../../packages/docent-client/src/docent-error.ts'
import type { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import { readEvents } from './read-events.ts'
import type { StreamEvent } from './turn.ts'

export interface AnswerStreamDeps {
  requests: ServiceRequests
  /** Told the headers of each reply, which name the thread. */
  noteHeaders(headers: Headers): void
}

/** Waits before each attempt to continue an answer that has begun. */
const waitsMs = [500, 2_000, 5_000]

const endings: ReadonlySet<string> = new Set(['finish', 'abort', 'error'])

type Open = (signal: AbortSignal) => Promise<Response>

/** Streams answers, over connections that break: the service repeats an answer from its beginning. */
export class AnswerStream {
  readonly #deps: AnswerStreamDeps
  readonly #chatId: string

  constructor(deps: AnswerStreamDeps, chatId: string) {
    this.#deps = deps
    this.#chatId = chatId
  }

  /** The events of the answer to a question. @throws {DocentError} and what `fetch` throws, if it is not answered. */
  ask(body: object, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const { requests } = this.#deps
    const headers = { 'Content-Type': 'application/json' }
    const address = requests.address('assistant/{site}/message')
    const send = (asked: object, stop: AbortSignal) =>
      requests.send(address, { method: 'POST', headers, body: JSON.stringify(asked), signal: stop })
    // The service may have deleted a thread that this device still shows. Without a key, it begins again.
    const open: Open = (stop) =>
      send(body, stop).catch((error: unknown) => {
        if (!hasCode(error, 'thread_not_found')) throw error
        return send({ ...body, threadKey: null }, stop)
      })
    return this.#follow(open, signal)
  }

  /** The events of the newest answer. @throws {DocentError} `not_found` if the service does not have it any more. */
  resume(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    return this.#follow((stop) => this.#reopen(stop), signal)
  }

  async #reopen(signal: AbortSignal): Promise<Response> {
    const { requests } = this.#deps
    const path = `assistant/{site}/message/${encodeURIComponent(this.#chatId)}/stream`
    const response = await requests.send(requests.address(path), { signal })
    if (response.status !== 204) return response
    throw new DocentError('There is no answer to continue.', 'not_found', { status: 404 })
  }

  async *#follow(first: Open, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    let open = first
    let lost: unknown = null
    let hasBegun = false
    for (let attempt = 0; ; attempt++) {
      try {
        for await (const event of this.#read(open, signal)) {
          hasBegun = true
          yield event
          if (endings.has(event.type)) return
        }
        throw new TypeError('The stream ended before the answer.')
      } catch (error) {
        if (lost !== null && hasCode(error, 'not_found')) throw lost
        // A question that did not get through is only looked for once.
        const waitMs = hasBegun || attempt === 0 ? waitsMs[attempt] : undefined
        if (signal.aborted || !isLost(error) || waitMs === undefined || !navigator.onLine) throw error
        lost = error
        yield { type: 'connection-lost' }
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        open = (stop) => this.#reopen(stop)
      }
    }
  }

  async *#read(open: Open, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const response = await open(signal)
    this.#deps.noteHeaders(response.headers)
    if (response.body) yield* readEvents(response.body)
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof DocentError && error.code === code
}

/** Whether the connection broke, rather than the service refusing. Reading a broken stream throws a `TypeError`. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || hasCode(error, 'unreachable')
}
