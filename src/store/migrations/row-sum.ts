import { createHash } from 'node:crypto'
import type { Row, Value } from './row-reader.ts'

/** Checksum of a table's rows. */
export interface TableSum {
  rowCount: number
  /** SHA-256 of the encoded rows, each followed by a line feed. */
  sha256: string
}

/** Encodes a row as one line of JSON: an array in column order, bytes as `{ base64 }`. */
export function encodeRow(row: Row): string {
  return JSON.stringify(row.map(encodeValue))
}

function encodeValue(value: Value): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

/** @returns Null if the line is not a row with that number of columns. */
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

/** Computes the checksum of one table's rows, in key order. */
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
