const startBytes = 64 * 1024

/**
 * Collects a body in one growing buffer: a list of chunks would take many times the memory if bytes arrive one by one.
 * Memory is released explicitly, because a burst of large bodies outruns garbage collection.
 */
export class ByteCollector {
  readonly #bytesExpected: number
  #buffer = new Uint8Array(0)
  #length = 0

  /** @param bytesExpected Allocated in full after the first chunks. */
  constructor(bytesExpected = 0) {
    this.#bytesExpected = bytesExpected
  }

  get length(): number {
    return this.#length
  }

  push(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > this.#buffer.length) this.#grow(length)
    this.#buffer.set(bytes, this.#length)
    this.#length = length
  }

  /** The bytes so far. Valid until the next `push`, `take` or `release`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Returns the bytes in a separate buffer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes
    this.#buffer = new Uint8Array(0)
    this.#length = 0
    return taken
  }

  /** Frees the buffer. */
  release(): void {
    free(this.#buffer)
    this.#buffer = new Uint8Array(0)
    this.#length = 0
  }

  #grow(length: number): void {
    const before = this.#buffer
    const wanted = length <= startBytes ? startBytes : Math.max(this.#bytesExpected, before.length * 2)
    this.#buffer = new Uint8Array(Math.max(length, wanted))
    this.#buffer.set(before.subarray(0, this.#length))
    free(before)
  }
}

function free(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0)
}
