const startBytes = 64 * 1024

/**
 * Collects the bytes of a body in one buffer that grows: a list of its pieces would take many times the memory of the
 * bytes when they come one by one.
 */
export class ByteCollector {
  #buffer: Buffer<ArrayBuffer> = Buffer.allocUnsafe(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > this.#buffer.length) this.#grow(length)
    this.#buffer.set(bytes, this.#length)
    this.#length = length
  }

  /** All of it so far. Valid until the next `push`. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(startBytes, length, this.#buffer.length * 2))
    grown.set(this.bytes)
    this.#buffer = grown
  }
}
