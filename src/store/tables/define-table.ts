import type { ColumnType } from 'kysely'

/** How values are encoded when the database type differs from the program's. */
export type Codec = 'boolean' | 'strings' | 'items' | 'object'

export interface Column<Value> {
  readonly type: 'text' | 'integer' | 'real' | 'bytes'
  readonly codec?: Codec
  readonly isNullable?: boolean
  readonly isPrimaryKey?: boolean
  readonly isUnique?: boolean
  /** Referenced `table.column`. */
  readonly references?: string
  /** Whether the row is deleted with the row it references. */
  readonly isOwned?: boolean
  /** Never set; carries the value type. */
  readonly value?: Value
}

type Columns = Readonly<Record<string, Column<unknown>>>

export interface Index<Name extends string = string> {
  readonly columns: readonly Name[]
  readonly isUnique?: boolean
  /** SQL condition of a partial index. */
  readonly where?: string
}

interface TableOptions<Name extends string> {
  /** For composite keys. */
  readonly primaryKey?: readonly Name[]
  readonly unique?: readonly Name[]
  /** A composite foreign key: rows are deleted with the referenced row. */
  readonly parent?: { readonly table: string; readonly columns: readonly Name[]; readonly keys: readonly string[] }
  /** The names in the database are prefixed with the table name. */
  readonly indexes?: Readonly<Record<string, readonly Name[] | Index<Name>>>
  /** Why backups skip the table. All others are copied, so that a new table cannot be forgotten. */
  readonly uncopied?: string
}

export interface Table<Of extends Columns = Columns> extends TableOptions<string> {
  readonly columns: Of
}

export type Tables = Readonly<Record<string, Table>>

/** Accepts readonly arrays on write. */
type Stored<Value> = [NonNullable<Value>] extends [readonly unknown[]]
  ? ColumnType<Value, Readonly<Value>, Readonly<Value>>
  : Value

/** Rows as the program sees them: camelCase names, parsed JSON, real booleans. */
export type RowsOf<Of extends Tables> = {
  [Name in keyof Of]: {
    -readonly [Each in keyof Of[Name]['columns']]: Of[Name]['columns'][Each] extends Column<infer Value>
      ? Stored<Value>
      : never
  }
}

export function table<Of extends Columns>(columns: Of, options: TableOptions<keyof Of & string> = {}): Table<Of> {
  return { columns, ...options }
}

export function columnsOf<Of extends Columns, Left extends keyof Of = never>(
  { columns }: Table<Of>,
  ...left: Left[]
): Exclude<keyof Of & string, Left>[] {
  const names = Object.keys(columns) as Exclude<keyof Of & string, Left>[] // Without those filtered out below.
  const hidden: ReadonlySet<PropertyKey> = new Set(left)
  return names.filter((name) => !hidden.has(name))
}

/** @typeParam Value The allowed values, if few. */
export function text<Value extends string = string>(): Column<Value> {
  return { type: 'text' }
}

export function integer(): Column<number> {
  return { type: 'integer' }
}

/** UTC milliseconds. */
export function time(): Column<number> {
  return { type: 'integer' }
}

export function real(): Column<number> {
  return { type: 'real' }
}

export function bytes(): Column<Uint8Array> {
  return { type: 'bytes' }
}

/** 0 or 1 in the database. */
export function boolean(): Column<boolean> {
  return { type: 'integer', codec: 'boolean' }
}

/** JSON; every element is checked on read. */
export function strings(): Column<string[]> {
  return { type: 'text', codec: 'strings' }
}

/** JSON. Only this room writes it, so reading checks only that it is an array. */
export function items<Item>(): Column<Item[]> {
  return { type: 'text', codec: 'items' }
}

/** JSON. Only this room writes it, so reading checks only that it is an object. */
export function object<Value extends object>(): Column<Value> {
  return { type: 'text', codec: 'object' }
}

export function id(): Column<string> {
  return primaryKey(text())
}

export function primaryKey<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isPrimaryKey: true }
}

export function unique<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isUnique: true }
}

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true }
}

/** The row is deleted with the row it references. @param parent `table.column`, such as `sites.id`. */
export function childOf(parent: string): Column<string> {
  return { type: 'text', references: parent, isOwned: true }
}

/** The referenced row cannot be deleted while this row exists. @param target `table.column`, such as `blobs.hash`. */
export function references(target: string): Column<string> {
  return { type: 'text', references: target }
}
