import { parseJson } from '../../base/parse-json.ts'

const lineFeed = 10
const carriageReturn = 13
const emptyLine = '\n\n'
const emptyData = ['data:\n', 'data: \n', 'data:\r', 'data: \r']

/**
 * Repairs what makes provider packages fail a whole answer although its text has arrived: token counts that are not
 * numbers, empty events that keep a connection open, and a last event that is cut short or lacks the empty line after it.
 * Holds back unfinished lines, which cannot be read before their end; parses only lines with counts.
 */
export class EventRepairer {
  #begun: Uint8Array[] = []
  /** Of what was passed on. Characters, because a buffer keeps the memory around it while a stream is open. */
  #end = emptyLine

  repair(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const to = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1
    const ended = to === 0 ? [] : [...this.#begun.splice(0), bytes.subarray(0, to)]
    if (to < bytes.length) this.#begun.push(bytes.subarray(to))
    return this.#pass(repairLines(ended))
  }

  /** What was held back, and the empty line if that is missing. */
  finish(): Uint8Array {
    if (isCutShort(Buffer.concat(this.#begun).toString())) return Buffer.alloc(0)
    const last = this.#pass(repairLines(this.#begun))
    return /\n\r?\n$/.test(this.#end) ? last : Buffer.concat([last, Buffer.from(emptyLine)])
  }

  #pass(bytes: Buffer): Buffer {
    this.#end = (this.#end + bytes.toString('latin1', Math.max(0, bytes.length - 3))).slice(-3)
    return bytes
  }
}

/** Whether it is the beginning of an event, which would fail to parse. */
const isCutShort = (line: string) => /^data:\s*\{/.test(line) && parseJson(line.slice('data:'.length)) === null

/** @param pieces Of whole lines. */
function repairLines(pieces: readonly Uint8Array[]): Buffer {
  const lines = Buffer.concat(pieces)
  const hasCounts = lines.includes('"usage')
  const isOdd = [...reservedSigns, ...emptyData].some((part) => lines.includes(part))
  if (!hasCounts && !isOdd) return lines
  return Buffer.from(
    renameReserved(lines.toString())
      .replace(/^data: ?$/gm, ':')
      .replace(/^data:[^\r\n]*"usage[^\r\n]*/gm, repairLine),
  )
}

function repairLine(line: string): string {
  const event = parseJson(line.slice('data:'.length))
  const repaired = writeRepaired(event)
  return repaired === null || repaired === JSON.stringify(event) ? line : `data: ${repaired}`
}

/** @returns The event as JSON, with its counts repaired; null if it is nested too deeply to be walked. */
export function writeRepaired(event: unknown): string | null {
  try {
    return renameReserved(JSON.stringify(repairCounts(event)))
  } catch {
    return null
  }
}

/** Without one of these, lines contain no reserved key: its letters may be escaped, all others are as they are. */
const reservedSigns = ['"__proto__"', '"prototype"', '\\u00']
const protoKey = writeKeyPattern('__proto__', String.raw`(?=\s*:)`)
const prototypeKey = writeKeyPattern('prototype', String.raw`(?=\s*:)`)
const constructorKey = writeKeyPattern('constructor', String.raw`(?=\s*:\s*\{)`)

/**
 * Provider packages parse no JSON with the key `__proto__`, or with `prototype` in a `constructor`, and Gemini's holds the
 * input of calls as the model wrote it.
 */
function renameReserved(json: string): string {
  const renamed = json.replace(protoKey, '"_proto_"')
  return renamed.search(prototypeKey) === -1 ? renamed : renamed.replace(constructorKey, '"_constructor_"')
}

/** Of a key in JSON, any of whose letters may be escaped. @param end What follows. */
function writeKeyPattern(key: string, end: string): RegExp {
  const letters = Array.from(key, (letter) => {
    const [high = '', low = ''] = letter.charCodeAt(0).toString(16)
    return String.raw`(?:${letter}|\\u00${high}[${low}${low.toUpperCase()}])`
  })
  return new RegExp(String.raw`(?<!\\)"${letters.join('')}"${end}`, 'g')
}

/** Inputs of tools, in which the model may use the same names for something else. */
const inputs = new Set(['args', 'input', 'arguments'])

/** @param isUsage Whether the value is part of what a provider counts. */
function repairCounts(value: unknown, isUsage = false): unknown {
  if (Array.isArray(value)) return value.map((inner) => repairCounts(inner, isUsage))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  // Servers that do not count report 0, so the rest of an unreadable count would be taken for the whole.
  const isUncounted = entries.some(([name, inner]) => isUsage && isCount(name) && readCount(name, inner) === undefined)
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      if (!isUsage && inputs.has(name)) return [name, inner]
      if (isUsage && isCount(name)) return [name, isUncounted ? 0 : readCount(name, inner)]
      const isRecord = name === 'usage' || name === 'usageMetadata' || (isUsage && /details$/i.test(name))
      if (isRecord && (typeof inner !== 'object' || isEmptyArray(inner))) return [name, null]
      return [name, repairCounts(inner, isUsage || isRecord)]
    }),
  )
}

/** As PHP writes an empty object. */
const isEmptyArray = (value: unknown) => Array.isArray(value) && value.length === 0

const isCount = (name: string) => /(?:_tokens|Tokens|[tT]okenCount)$/.test(name)

/** @returns Undefined if it cannot be read; null, which only counts of less interest may be, as it is. */
function readCount(name: string, value: unknown): number | null | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value)
  return value === null && !/^(?:input|output|prompt|completion|total)(?:_tokens|Tokens)$/.test(name) ? null : undefined
}
