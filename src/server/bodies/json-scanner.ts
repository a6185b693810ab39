import { AppError } from '../../contract/app-error.ts'

/** Bounds on a body's structure: above the longest conversations, and low enough to parse in one go. */
export const jsonBounds = {
  depth: 100,
  /** Over all objects. */
  keys: 20_000,
  keysOfObject: 2_000,
  /** Objects and lists count too; empty ones count twice. */
  values: 60_000,
  /** Entries of one list in the outermost object, such as `messages`. */
  messages: 5_000,
} as const

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
/** Messages are the entries of a list in the outermost object. */
const messagesDepth = 2

/**
 * Measures the structure of a JSON text from its bytes, so that nothing expensive is parsed: a few megabytes can
 * contain a million objects, or nest a million levels deep.
 *
 * Does not check the grammar: on malformed text a parser fails before it has read more than was counted.
 */
export class JsonScanner {
  #depth = 0
  #keys = 0
  #values = 1
  #isInString = false
  #isEscaped = false
  /** By depth: the entries counted so far in the open object or list. */
  readonly #keysAt = new Uint32Array(jsonBounds.depth + 1)
  readonly #commasAt = new Uint32Array(jsonBounds.depth + 1)

  /** Scans the next bytes. @throws {AppError} `invalid_request` as soon as a bound is exceeded. */
  push(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) this.#isInString = false
      } else if (byte === quote) this.#isInString = true
      else if (byte === comma) this.#next()
      else if (byte === colon) this.#nextKey()
      else if (byte === openBrace || byte === openBracket) this.#open()
      else if (byte === closeBrace || byte === closeBracket) this.#depth = Math.max(0, this.#depth - 1)
    }
  }

  #open(): void {
    this.#depth += 1
    if (this.#depth > jsonBounds.depth) throw outOfBounds(`nests deeper than ${jsonBounds.depth} levels`)
    this.#keysAt[this.#depth] = 0
    this.#commasAt[this.#depth] = 0
    this.#countValue()
  }

  #next(): void {
    const commas = (this.#commasAt[this.#depth] = (this.#commasAt[this.#depth] ?? 0) + 1)
    if (this.#depth === messagesDepth && commas >= jsonBounds.messages) {
      throw outOfBounds(`has a list with more than ${jsonBounds.messages} entries, such as messages`)
    }
    this.#countValue()
  }

  #nextKey(): void {
    const keys = (this.#keysAt[this.#depth] = (this.#keysAt[this.#depth] ?? 0) + 1)
    if (keys > jsonBounds.keysOfObject)
      throw outOfBounds(`has an object with more than ${jsonBounds.keysOfObject} keys`)
    this.#keys += 1
    if (this.#keys > jsonBounds.keys) throw outOfBounds(`has more than ${jsonBounds.keys} keys`)
  }

  #countValue(): void {
    this.#values += 1
    if (this.#values > jsonBounds.values) throw outOfBounds(`has more than ${jsonBounds.values} values`)
  }
}

function outOfBounds(fault: string): AppError {
  const message = `The body ${fault}. Send less, such as fewer old messages.`
  return new AppError('invalid_request', message, { details: [{ path: '', message }] })
}
