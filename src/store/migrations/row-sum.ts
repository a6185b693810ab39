import { createHash } from 'node:crypto'
import type { Row, Value } from './row-reader.ts'

/** What the rows of a table come to: equal where, and only where, they are equal. */
export interface TableSum {
  rowCount: number
  /** SHA-256 of the encoded rows, each with a line feed after it. */
  sha256: string
}

/** A row as one line of JSON: an array in the order of the columns. Bytes are an object with their base64. */
export function encodeRow(row: Row): string {
  return JSON.stringify(row.map(encodeValue))
}

function encodeValue(value: Value): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

/** @returns Null for what is not a row of so many columns. */
export function decodeRow(line: string, columnCount: number): Row | null {
  let values: unknown
  try {
    values = JSON.parse(line)
  } catch {
    return null
  }
  if (!Array.isArray(values) || values.length !== columnCount) return null
  const row: Value[] = []
  for (const value of values as unknown[]) {
    const decoded = decodeValue(value)
    if (decoded === undefined) return null
    row.push(decoded)
  }
  return row
}

function decodeValue(value: unknown): Value | undefined {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || !('base64' in value) || typeof value.base64 !== 'string') return undefined
  return Buffer.from(value.base64, 'base64')
}

/** Sums up the rows of one table, in the order of its key. */
export class RowSum {
  readonly #hash = createHash('sha256')
  #rowCount = 0

  add(row: Row): void {
    this.#hash.update(encodeRow(row)).update('\n')
    this.#rowCount += 1
  }

  end(): TableSum {
    return { rowCount: this.#rowCount, sha256: this.#hash.digest('hex') }
  }
}
