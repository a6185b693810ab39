import { closeSync } from 'node:fs'
import { decodeValues, openSafetensors, type Safetensors, type Tensor } from './open-safetensors.ts'
import { readExactly } from './read-exactly.ts'

/** A larger file is not a table of tokens, or not one that anyone publishes. */
const rowsMax = 4_000_000
const dimensionsMax = 8_192
/** Frequent tokens are most of any text. */
const keptBytesMax = 32_000_000
const readsAtOnce = 64
/** The second is the name that sentence-transformers writes. */
const tableNames = ['embeddings', 'embedding.weight']

/**
 * A vector per token, in a file. Rows are read as needed: the system's page cache holds the file once for all threads
 * and processes, and gives the memory back.
 */
export class TokenTable {
  readonly tokens: number
  readonly dimensions: number
  readonly #descriptor: number
  readonly #table: Tensor
  /** By token: the row, if rows are shared; and the factor on it. */
  readonly #rowOf: Float64Array | null
  readonly #weights: Float64Array | null
  readonly #kept = new Map<number, Float32Array>()

  /** @throws {Error} a clause about the file, if it contains no table. */
  static async open(file: string): Promise<TokenTable> {
    const opened = await openSafetensors(file)
    try {
      const table = findTable(opened)
      const rowOf = await readColumn(opened, 'mapping')
      return new TokenTable(opened.descriptor, table, rowOf, await readColumn(opened, 'weights'))
    } catch (error) {
      closeSync(opened.descriptor)
      throw error
    }
  }

  private constructor(descriptor: number, table: Tensor, rowOf: Float64Array | null, weights: Float64Array | null) {
    const [rows = 0, dimensions = 0] = table.shape
    this.#descriptor = descriptor
    this.#table = table
    this.#rowOf = rowOf
    this.#weights = weights
    this.tokens = rowOf?.length ?? rows
    this.dimensions = dimensions
    if (weights !== null && weights.length !== this.tokens)
      throw new Error('has a different number of weights than tokens')
    if (rowOf?.some((row) => !(row >= 0 && row < rows)) === true) throw new Error('maps tokens to rows that it lacks')
  }

  /**
   * @param texts The tokens of each text, each below `tokens`.
   * @returns The mean of the vectors of each text's tokens; zeros for a text without tokens.
   */
  async average(texts: readonly (readonly number[])[]): Promise<Float64Array[]> {
    const rows = await this.#readRows(new Set(texts.flat().map((token) => this.#findRow(token))))
    return texts.map((tokens) => {
      const sum = new Float64Array(this.dimensions)
      for (const token of tokens) {
        addTo(sum, rows.get(this.#findRow(token)) as Float32Array, this.#weights?.[token] ?? 1) // All were read.
      }
      return sum.map((value) => value / Math.max(1, tokens.length))
    })
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #findRow(token: number): number {
    return this.#rowOf?.[token] ?? token
  }

  async #readRows(wanted: ReadonlySet<number>): Promise<Map<number, Float32Array>> {
    const rows = new Map<number, Float32Array>()
    const missing: number[] = []
    for (const row of wanted) {
      const known = this.#kept.get(row)
      if (known === undefined) missing.push(row)
      else rows.set(row, known)
    }
    for (let start = 0; start < missing.length; start += readsAtOnce) {
      const some = missing.slice(start, start + readsAtOnce)
      await Promise.all(some.map(async (row) => rows.set(row, await this.#readRow(row))))
    }
    return rows
  }

  async #readRow(row: number): Promise<Float32Array> {
    const { type, start, bytes, shape } = this.#table
    const width = bytes / (shape[0] as number) // Checked by `findTable`.
    const read = await readExactly(this.#descriptor, start + row * width, width)
    const values = Float32Array.from(decodeValues(type, read))
    if ((this.#kept.size + 1) * this.dimensions * Float32Array.BYTES_PER_ELEMENT > keptBytesMax) this.#kept.clear()
    this.#kept.set(row, values)
    return values
  }
}

/** Whether a file contains such a table. False for a missing file. */
export async function hasTokenTable(file: string): Promise<boolean> {
  const opened = await openSafetensors(file).catch(() => null)
  if (opened === null) return false
  closeSync(opened.descriptor)
  return tableNames.some((name) => opened.tensors.has(name))
}

function addTo(sum: Float64Array, row: Float32Array, weight: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (row[at] as number) * weight
}

function findTable({ tensors }: Safetensors): Tensor {
  const table = tableNames.map((name) => tensors.get(name)).find((tensor) => tensor !== undefined)
  if (table === undefined) throw new Error(`contains no tensor named "${tableNames[0]}" of a known type`)
  const [rows = 0, dimensions = 0] = table.shape
  if (table.shape.length === 2 && rows > 0 && rows <= rowsMax && dimensions > 0 && dimensions <= dimensionsMax)
    return table
  throw new Error(
    `contains no table of at most ${rowsMax} rows and ${dimensionsMax} columns, but ${table.shape.join(' × ')}`,
  )
}

async function readColumn({ descriptor, tensors }: Safetensors, name: string): Promise<Float64Array | null> {
  const tensor = tensors.get(name)
  if (tensor === undefined) return null
  if (tensor.shape.length !== 1 || (tensor.shape[0] as number) > rowsMax)
    throw new Error(`has "${name}" of an unknown shape`)
  return decodeValues(tensor.type, await readExactly(descriptor, tensor.start, tensor.bytes))
}
