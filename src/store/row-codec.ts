import {
  type DefaultQueryCompiler,
  Kysely,
  type KyselyConfig,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  type RawNode,
  SqliteQueryCompiler,
  type UnknownRow,
} from 'kysely'
import { areas, type Database, type Db } from './schema.ts'
import { toCamelCase, toSnakeCase } from './snake-case.ts'
import type { Codec, Table } from './tables/define-table.ts'

/**
 * Compiles camelCase names to snake_case and encodes booleans and JSON.
 *
 * Kysely's CamelCasePlugin copies every query tree, which adds half as much time again to building and compiling it.
 */
function compileRows(Compiler: new () => DefaultQueryCompiler) {
  return class extends Compiler {
    #rawDepth = 0

    protected override sanitizeIdentifier(identifier: string): string {
      return super.sanitizeIdentifier(toSnakeCase(identifier))
    }

    protected override visitRaw(node: RawNode): void {
      this.#rawDepth += 1
      try {
        super.visitRaw(node)
      } finally {
        this.#rawDepth -= 1
      }
    }

    protected override appendValue(value: unknown): void {
      super.appendValue(encodeValue(value, this.#rawDepth > 0))
    }
  }
}

export const SqliteRowCompiler = compileRows(SqliteQueryCompiler)
const PostgresRowCompiler = compileRows(PostgresQueryCompiler)

class PostgresRowDialect extends PostgresDialect {
  override createQueryCompiler(): DefaultQueryCompiler {
    return new PostgresRowCompiler()
  }
}

export function createPostgresDatabase(pool: PostgresPool, config: Pick<KyselyConfig, 'log'> = {}): Db {
  return new Kysely<Database>({ ...config, dialect: new PostgresRowDialect({ pool }), plugins: [rowPlugin] })
}

/** Arrays in raw SQL are PostgreSQL arrays, not JSON. */
function encodeValue(value: unknown, isRaw: boolean): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (isRaw || typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return JSON.stringify(value)
}

const rowPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => Promise.resolve({ ...result, rows: decodeRows(result.rows) }),
}

interface Reader {
  name: string
  decode: ((value: unknown) => unknown) | null
}

const readers = new Map<string, Reader>()

function decodeRows(rows: readonly UnknownRow[]): UnknownRow[] {
  const columns = Object.keys(rows[0] ?? {})
  return decodeValues(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  )
}

/**
 * Decodes rows by column name, so a column with a codec must not be selected under an alias.
 *
 * @throws {Error} naming the column, when stored JSON is damaged.
 */
export function decodeValues(columns: readonly string[], rows: readonly (readonly unknown[])[]): UnknownRow[] {
  const found = columns.map(findReader)
  return rows.map((values) => {
    const row: UnknownRow = {}
    let index = 0
    for (const { name, decode } of found) {
      const value = values[index]
      row[name] = decode === null || value === null ? value : decode(value)
      index += 1
    }
    return row
  })
}

function findReader(column: string): Reader {
  const known = readers.get(column)
  if (known !== undefined) return known
  const name = toCamelCase(column)
  const codec = codecs.get(name)
  const reader = { name, decode: codec === undefined ? null : (value: unknown) => decodeValue(column, codec, value) }
  readers.set(column, reader)
  return reader
}

/** @throws {Error} naming the column, when its JSON is damaged. */
function decodeValue(column: string, codec: Codec, stored: unknown): unknown {
  if (codec === 'boolean') return stored === 1
  if (typeof stored !== 'string') return stored
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch (cause) {
    throw new Error(`The column ${column} does not contain JSON. Restore the database from a backup.`, { cause })
  }
  if (isOfShape(value, codec)) return value
  throw new Error(`The column ${column} contains JSON of an unexpected shape. Restore the database from a backup.`)
}

function isOfShape(value: unknown, codec: Exclude<Codec, 'boolean'>): boolean {
  if (codec === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return Array.isArray(value) && (codec === 'items' || value.every((item) => typeof item === 'string'))
}

const codecs = collectCodecs()

/** @throws {Error} when two tables store columns of the same name differently. */
function collectCodecs(): ReadonlyMap<string, Codec> {
  const found = new Map<string, Codec | undefined>()
  for (const { columns } of Object.values(areas).flatMap((area) => Object.values<Table>(area))) {
    for (const [name, { codec }] of Object.entries(columns)) {
      if (found.has(name) && found.get(name) !== codec) throw new Error(`The columns ${name} are stored differently.`)
      found.set(name, codec)
    }
  }
  return new Map([...found].filter((entry): entry is [string, Codec] => entry[1] !== undefined))
}
