import type { ColumnType } from 'kysely'

/** How a column is stored where the database holds something else than the program. */
export type Codec = 'boolean' | 'strings' | 'items' | 'object'

export interface Column<Value> {
  readonly type: 'text' | 'integer' | 'real' | 'bytes'
  readonly codec?: Codec
  readonly isNullable?: boolean
  readonly isPrimaryKey?: boolean
  readonly isUnique?: boolean
  /** `table.column` that the value must be found in. */
  readonly references?: string
  /** Whether the row is deleted with the one that it refers to. */
  readonly isOwned?: boolean
  /** Never set: it carries the type of the values. */
  readonly value?: Value
}

type Columns = Readonly<Record<string, Column<unknown>>>

export interface Index<Name extends string = string> {
  readonly columns: readonly Name[]
  readonly isUnique?: boolean
  /** SQL, for the rows that the index is limited to. */
  readonly where?: string
}

interface TableOptions<Name extends string> {
  /** Where it is more than one column. */
  readonly primaryKey?: readonly Name[]
  readonly unique?: readonly Name[]
  /** Rows are deleted with the row of that table that they refer to by several columns. */
  readonly parent?: { readonly table: string; readonly columns: readonly Name[]; readonly keys: readonly string[] }
  /** Index names are the name of the table followed by these. */
  readonly indexes?: Readonly<Record<string, readonly Name[] | Index<Name>>>
  /** Why backups leave its rows out. Rows of every other table are copied, so that a new table cannot be forgotten. */
  readonly uncopied?: string
}

export interface Table<Of extends Columns = Columns> extends TableOptions<string> {
  readonly columns: Of
}

export type Tables = Readonly<Record<string, Table>>

/** What is written may be readonly. */
type Stored<Value> = [NonNullable<Value>] extends [readonly unknown[]]
  ? ColumnType<Value, Readonly<Value>, Readonly<Value>>
  : Value

/** Rows as the program sees them: camelCase, JSON parsed, booleans as such. */
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

/** The names of the columns, without some of them. */
export function columnsOf<Of extends Columns, Left extends keyof Of = never>(
  { columns }: Table<Of>,
  ...left: Left[]
): Exclude<keyof Of & string, Left>[] {
  const names = Object.keys(columns) as Exclude<keyof Of & string, Left>[] // But for those that go now.
  const hidden: ReadonlySet<PropertyKey> = new Set(left)
  return names.filter((name) => !hidden.has(name))
}

/** @typeParam Value The texts that are written, where they are few. */
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

/** JSON; every string is checked when it is read. */
export function strings(): Column<string[]> {
  return { type: 'text', codec: 'strings' }
}

/** JSON. Only this room writes it, so that reading checks that it is an array and no more. */
export function items<Item>(): Column<Item[]> {
  return { type: 'text', codec: 'items' }
}

/** JSON. Only this room writes it, so that reading checks that it is an object and no more. */
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

/** The row is deleted with the one that it refers to, such as `sites.id`. */
export function childOf(parent: string): Column<string> {
  return { type: 'text', references: parent, isOwned: true }
}

/** What it refers to, such as `blobs.hash`, cannot be deleted while the row is there. */
export function references(target: string): Column<string> {
  return { type: 'text', references: target }
}
