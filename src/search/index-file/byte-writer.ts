/**
 * A growable buffer (doubling) for varints: seven bits per byte, least significant first, the high bit set on all but
 * the last.
 */
export class ByteWriter {
  private bytes = new Uint8Array(16)
  private used = 0

  get length(): number {
    return this.used
  }

  /** @param value An integer from 0 to 2³² − 1. */
  writeVarint(value: number): void {
    if (this.used + 5 > this.bytes.length) this.grow(this.used + 5)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.used++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.used++] = rest
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.used + bytes.length > this.bytes.length) this.grow(this.used + bytes.length)
    this.bytes.set(bytes, this.used)
    this.used += bytes.length
  }

  /** Keeps the memory for reuse. */
  clear(): void {
    this.used = 0
  }

  /** A view, not a copy: valid until the next write. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.used)
  }

  private grow(least: number): void {
    const larger = new Uint8Array(Math.max(least, this.bytes.length * 2))
    larger.set(this.bytes)
    this.bytes = larger
  }
}
