import { rejectOnAbort } from '../../base/reject-on-abort.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import type { BodyPlace, BodyPlaces } from './body-places.ts'
import { ByteCollector } from './byte-collector.ts'
import { JsonScanner } from './json-scanner.ts'

/** Bodies up to this size are read immediately, bounded by the number of connections. Larger ones need a place. */
export const smallBytesMax = 64 * 1024

/** The body of one request while it is received. */
export class BodyReading {
  readonly #c: AppContext
  readonly #places: BodyPlaces
  readonly #bytesMax: number
  readonly #scanner: JsonScanner | null
  readonly #body: ByteCollector
  #place: BodyPlace | null = null
  /** Announced or received, whichever is larger. */
  bytes: number

  /** @param scanner Checks the bytes as they arrive; null if the body is only parsed once its sender is trusted. */
  constructor(c: AppContext, places: BodyPlaces, bytesMax: number, scanner: JsonScanner | null = new JsonScanner()) {
    this.#scanner = scanner
    this.#c = c
    this.#places = places
    this.#bytesMax = bytesMax
    this.bytes = Number(c.req.header('content-length') ?? 0)
    this.#body = new ByteCollector(Math.min(this.bytes, bytesMax))
  }

  /**
   * Receives the body and passes it to `work`, then frees its memory and its place.
   *
   * @throws {AppError} `body_too_large`, `overloaded`, and `invalid_request` if the body exceeds a bound of
   *   `JsonScanner`, is cut off or arrives too slowly.
   */
  async use<Result>(work: (body: ByteCollector) => Result | Promise<Result>): Promise<Result> {
    if (this.bytes > this.#bytesMax) throw bodyTooLarge(this.#bytesMax)
    try {
      await this.#receive()
      return await work(this.#body)
    } finally {
      this.#body.release()
      this.#place?.release()
    }
  }

  async #receive(): Promise<void> {
    const pieces = openBody(this.#c)
    try {
      for (let read = await this.#next(pieces); read.done !== true; read = await this.#next(pieces)) {
        await this.#take(read.value)
      }
    } finally {
      // Not awaited: it would wait for a late chunk.
      void pieces.return?.()
    }
  }

  async #take(piece: Uint8Array): Promise<void> {
    const bytes = this.#body.length + piece.length
    this.bytes = Math.max(this.bytes, bytes)
    if (bytes > this.#bytesMax) throw bodyTooLarge(this.#bytesMax)
    if (bytes > smallBytesMax) this.#place ??= await this.#acquire()
    await this.#places.noteBytes(piece.length)
    this.#scanner?.push(piece)
    this.#body.push(piece)
    freeWhole(piece)
  }

  /** Called this late because a client may announce a large body and send nothing. */
  #acquire(): Promise<BodyPlace> {
    const announced = Number(this.#c.req.header('content-length') ?? this.#bytesMax)
    const body = { address: this.#c.get('clientAddress'), bytes: Math.min(announced, this.#bytesMax) }
    return this.#places.acquire(body, this.#c.req.raw.signal)
  }

  async #next(pieces: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    const reading = pieces.next().catch(refuseCut)
    return this.#place === null ? reading : rejectOnAbort(reading, this.#place.signal)
  }
}

/**
 * Reads from the socket itself, if there is one: the framework then discards the rest of a refused body, so the client
 * gets its reply. With the framework's stream, the connection would be cut.
 */
function openBody(c: AppContext): AsyncIterator<Uint8Array> {
  // Absent if a test or command calls the application.
  const incoming = (c.env as AppEnv['Bindings'] | undefined)?.incoming
  const pieces = incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? []
  return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : noPieces()
}

async function* noPieces(): AsyncGenerator<Uint8Array> {}

/**
 * The client disconnected before its body was complete. Without this, its connection error code would pass for a
 * database error.
 */
function refuseCut(cause: unknown): never {
  const message = 'The body is incomplete. Send it again.'
  throw new AppError('invalid_request', message, { cause, details: [{ path: '', message }] })
}

function bodyTooLarge(bytesMax: number): AppError {
  return new AppError(
    'body_too_large',
    `The body is larger than ${bytesMax / 1024} KiB. Send less, such as smaller files or fewer old messages.`,
  )
}

/**
 * Frees a chunk immediately if it owns its whole buffer. Left to the garbage collector, the chunks of a burst of large
 * bodies take several times the memory of the bodies themselves.
 */
function freeWhole({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
