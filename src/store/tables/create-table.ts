import { toSnakeCase } from '../snake-case.ts'
import type { StoreDialect } from '../store.ts'
import type { Column, Index, Table } from './define-table.ts'

const types = {
  sqlite: { text: 'text', integer: 'integer', real: 'real', bytes: 'blob' },
  // Bytewise collation as in SQLite, so that ids and cursors sort alike on both databases.
  postgres: { text: 'text collate "C"', integer: 'bigint', real: 'float8', bytes: 'bytea' },
} as const

/** The statements that create a table and its indexes. @param name In camelCase. */
export function describeCreation(name: string, table: Table, dialect: StoreDialect): string[] {
  const { columns, primaryKey, unique, parent, indexes = {} } = table
  const own = toSnakeCase(name)
  const parts = Object.entries(columns).map(([column, definition]) => describeColumn(column, definition, dialect))
  if (primaryKey !== undefined) parts.push(`constraint ${own}_key primary key ${list(primaryKey)}`)
  if (unique !== undefined) parts.push(`unique ${list(unique)}`)
  if (parent !== undefined) {
    const target = `${quote(parent.table)} ${list(parent.keys)}`
    parts.push(`foreign key ${list(parent.columns)} references ${target} on delete cascade`)
  }
  return [
    `create table ${quote(name)} (${parts.join(', ')})`,
    ...Object.entries(indexes).map(([index, definition]) => describeIndex(own, index, definition)),
  ]
}

function describeColumn(name: string, column: Column<unknown>, dialect: StoreDialect): string {
  const { type, isNullable = false, isPrimaryKey = false, isUnique = false, references, isOwned = false } = column
  const words = [quote(name), types[dialect][type]]
  if (!isNullable) words.push('not null')
  if (isPrimaryKey) words.push('primary key')
  if (isUnique) words.push('unique')
  if (references !== undefined) {
    const [table = '', target = ''] = references.split('.')
    words.push(`references ${quote(table)} ${list([target])}`)
  }
  if (isOwned) words.push('on delete cascade')
  return words.join(' ')
}

function describeIndex(table: string, name: string, definition: readonly string[] | Index): string {
  const { columns, isUnique = false, where = null } = 'columns' in definition ? definition : { columns: definition }
  const kind = isUnique ? 'unique index' : 'index'
  const limit = where === null ? '' : ` where ${where}`
  return `create ${kind} ${quote(`${table}_${toSnakeCase(name)}`)} on ${quote(table)} ${list(columns)}${limit}`
}

function list(columns: readonly string[]): string {
  return `(${columns.map(quote).join(', ')})`
}

function quote(name: string): string {
  return `"${toSnakeCase(name)}"`
}
