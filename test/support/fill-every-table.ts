import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { join } from 'node:path'
import type { TableShape } from '../../src/store/migrations/table-shapes.ts'

/** Rows of each table. The second has null wherever that is allowed. */
const rowsEach = 3

/**
 * Writes rows into every table of an embedded database, by what the tables themselves say of their columns, so that a table
 * which is added later is filled too.
 *
 * @returns The ids of the repositories, which are to lie in `{id}.git`.
 */
export function fillEveryTable(folder: string, shapes: readonly TableShape[]): string[] {
  const database = new DatabaseSync(join(folder, 'docent.db'), { enableForeignKeyConstraints: true })
  const written = new Map<string, Record<string, SQLInputValue>[]>()
  try {
    for (const { name } of shapes) {
      const columns = database.prepare(`select name, type, "notnull" as required, pk from pragma_table_info('${name}')`)
      const parents = database.prepare(`select "table" as parent, "from", "to" from pragma_foreign_key_list('${name}')`)
      const rows = Array.from({ length: rowsEach }, (_, index) => {
        const row: Record<string, SQLInputValue> = {}
        for (const column of columns.all()) row[String(column.name)] = sampleValue(name, { column, index })
        for (const { parent, from, to } of parents.all()) {
          row[String(from)] = written.get(String(parent))?.[index]?.[String(to ?? 'id')] ?? null
        }
        if (name === 'repositories') row.folder = `${name}-${index}.git`
        return row
      })
      for (const row of rows) insert(database, name, row)
      written.set(name, rows)
    }
  } finally {
    database.close()
  }
  return Array.from({ length: rowsEach }, (_, index) => `repositories-${index}`)
}

function sampleValue(
  table: string,
  { column, index }: { column: Record<string, unknown>; index: number },
): SQLInputValue {
  if (index === 1 && column.required === 0 && column.pk === 0) return null
  const type = String(column.type).toLowerCase()
  if (type === 'integer') return 1_732_000_000_000 + index
  if (type === 'real') return 0.1 + index
  // In byte order, capitals come before small letters and accents last, which no language does.
  const letters = ['B', 'a', 'é'][index] ?? 'z'
  return Number(column.pk) > 0 ? `${table}-${index}` : `${letters}: "${String(column.name)}"\n\u2028\u{1F600}${index}`
}

function insert(database: DatabaseSync, table: string, row: Record<string, SQLInputValue>): void {
  const names = Object.keys(row).map((name) => `"${name}"`)
  const marks = names.map(() => '?')
  database
    .prepare(`insert into "${table}" (${names.join(', ')}) values (${marks.join(', ')})`)
    .run(...Object.values(row))
}
