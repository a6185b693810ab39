const lineFeed = 10
const emptyLine = Buffer.from('\n\n')

/**
 * Mends what provider packages end a whole answer over although the text is there: counts of tokens that are no numbers,
 * and a last event without the empty line behind it. Reads only lines that count, so other pieces cost a search for a word.
 */
export class EventMender {
  #begun: Buffer = Buffer.alloc(0)
  #end: Buffer = emptyLine

  mend(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (this.#begun.length === 0 && !bytes.includes('"usage')) return this.#pass(bytes)
    const all = Buffer.concat([this.#begun, bytes])
    const to = all.lastIndexOf(lineFeed) + 1
    this.#begun = all.subarray(to)
    return this.#pass(Buffer.from(all.toString('latin1', 0, to).split('\n').map(mendLine).join('\n'), 'latin1'))
  }

  /** What was held back, and the empty line that is missing. */
  finish(): Uint8Array {
    const last = this.#pass(Buffer.from(mendLine(this.#begun.toString('latin1')), 'latin1'))
    return /\n\r?\n$/.test(this.#end.toString('latin1', Math.max(0, this.#end.length - 3)))
      ? last
      : Buffer.concat([last, emptyLine])
  }

  #pass(bytes: Buffer): Buffer {
    this.#end = bytes.length >= 3 ? bytes : Buffer.concat([this.#end.subarray(-3), bytes])
    return bytes
  }
}

/** @param line With a character for each byte: it may begin within a character, whose start was passed on. */
function mendLine(line: string): string {
  const [start = '', json = ''] = /^(data: ?)(\{.*"usage.*\})\s*$/.exec(line)?.slice(1) ?? []
  if (json === '') return line
  try {
    const event: unknown = JSON.parse(json)
    const mended = mendCounts(event, false)
    return JSON.stringify(mended) === JSON.stringify(event) ? line : start + JSON.stringify(mended)
  } catch {
    return line
  }
}

/** @param isUsage Whether the value is part of what a provider counts. */
function mendCounts(value: unknown, isUsage: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => mendCounts(inner, isUsage))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isCount = isUsage && /(?:_tokens|[tT]okenCount)$/.test(name)
      const isRecord = isUsage && /details$/i.test(name)
      if (isCount)
        return [name, typeof inner === 'string' ? readCount(inner) : typeof inner === 'number' ? inner : null]
      if (isRecord && (typeof inner !== 'object' || inner === null)) return [name, null]
      return [name, mendCounts(inner, isUsage || name === 'usage' || name === 'usageMetadata')]
    }),
  )
}

const readCount = (written: string) => (/^\d+(?:\.\d+)?$/.test(written.trim()) ? Number(written) : null)
