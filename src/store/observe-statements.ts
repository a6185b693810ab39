import type { CompiledQuery, LogEvent, Logger, OperationNode } from 'kysely'
import type { Metrics } from '../telemetry/metrics.ts'
import { toSnakeCase } from './snake-case.ts'
import { activeSpan } from '../telemetry/work-context.ts'

/** Operations with a label of their own; all others count as `other`. */
const operations = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'] as const

/** Describes a statement without its text and values. */
export interface StatementName {
  operation: (typeof operations)[number] | 'other'
  /** Null for raw SQL. */
  table: string | null
}

/** Measures every statement and adds it as a child of the active span. */
export function createStatementObserver(metrics: Metrics): Logger {
  return (event: LogEvent) => {
    const { operation, table } = nameStatement(event.query)
    const durationMs = event.queryDurationMillis
    metrics.observe('docent_database_statement_seconds', { operation }, durationMs / 1_000)
    if (event.level === 'error') metrics.add('docent_database_failures_total', { operation })
    activeSpan()?.addChild(table === null ? operation : `${operation} ${table}`, durationMs, {
      kind: 'client',
      attributes: { 'db.operation.name': operation, 'db.collection.name': table },
      ...(event.level === 'error' && { error: event.error }),
    })
  }
}

export function nameStatement({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): StatementName {
  const word = /^\s*([a-z]+)/iu.exec(sql)?.[1]?.toLowerCase()
  return { operation: operations.find((each) => each === word) ?? 'other', table: findTable(query) }
}

/** Looks for the table that the statement inserts into, updates or selects from, in that order. */
function findTable(node: OperationNode): string | null {
  const fields: Readonly<Record<string, unknown>> = { ...node }
  for (const field of [fields.into, fields.table, fields.from]) {
    const name = readName(field)
    if (name !== null) return name
  }
  return null
}

/** Unwraps aliases, and takes the first of several tables. */
function readName(value: unknown): string | null {
  if (typeof value === 'string') return toSnakeCase(value)
  if (Array.isArray(value)) return readName(value[0])
  if (typeof value !== 'object' || value === null) return null
  const { froms, node, table, identifier, name } = value as Readonly<Record<string, unknown>>
  return readName(froms ?? node ?? table ?? identifier ?? name ?? null)
}
