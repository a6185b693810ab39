import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './schema.ts'

/** Runs a prepared statement. The values are text or numbers. */
type RunStatement<Name extends string, Row> = (
  db: Db,
  values: Readonly<Record<Name, string | number>>,
) => Promise<Row[]>

interface Prepared {
  query: CompiledQuery
  /** In the order of the parameters. */
  names: readonly string[]
}

/**
 * A statement that is built and compiled once for each database, for those that every answer runs: building one takes
 * longer than running it.
 *
 * @param names Of its values.
 * @param build Gets a mark in place of each value, to be passed on as it is: the text must not depend on it.
 */
export function prepareStatement<Name extends string, Row>(
  names: readonly Name[],
  build: (db: Db, marks: Readonly<Record<Name, never>>) => Compilable<Row>,
): RunStatement<Name, Row> {
  // Transactions have the adapter of their database.
  const prepared = new WeakMap<DialectAdapter, Prepared>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const statement = prepared.get(adapter) ?? compile(db, names, build)
    prepared.set(adapter, statement)
    const parameters = statement.names.map((name) => values[name as Name]) // Names of this statement.
    const { rows } = await db.executeQuery<Row>({ ...statement.query, parameters })
    return rows
  }
}

function compile<Name extends string>(
  db: Db,
  names: readonly Name[],
  build: (db: Db, marks: Readonly<Record<Name, never>>) => Compilable,
): Prepared {
  const marks = Object.fromEntries(names.map((name) => [name, `\u0000${name}`]))
  const query = build(db, marks as Record<Name, never>).compile() // Marks stand for values of any type.
  return { query, names: query.parameters.map((mark) => readMark(mark)) }
}

function readMark(mark: unknown): string {
  if (typeof mark === 'string' && mark.startsWith('\u0000')) return mark.slice(1)
  throw new TypeError(`A prepared statement has the fixed value ${String(mark)}, which must be one of its values.`)
}
