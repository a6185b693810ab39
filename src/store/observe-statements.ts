import type { CompiledQuery, LogEvent, Logger, OperationNode } from 'kysely'
import type { Metrics } from '../telemetry/metrics.ts'
import { toSnakeCase } from './snake-case.ts'
import { activeSpan } from '../telemetry/work-context.ts'

/** Operations of statements that are told apart; all others count as `other`. */
const operations = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'] as const

/** A statement without its values and its text. */
export interface StatementName {
  operation: (typeof operations)[number] | 'other'
  /** Null where the statement was written by hand. */
  table: string | null
}

/** Measures every statement, and makes it a span of the work that it belongs to. */
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

/** Where statements name their table, one of: what they insert into, what they update, what they select from. */
function findTable(node: OperationNode): string | null {
  const fields: Readonly<Record<string, unknown>> = { ...node }
  for (const field of [fields.into, fields.table, fields.from]) {
    const name = readName(field)
    if (name !== null) return name
  }
  return null
}

/** An alias stands around its table, a list of tables around the first. */
function readName(value: unknown): string | null {
  if (typeof value === 'string') return toSnakeCase(value)
  if (Array.isArray(value)) return readName(value[0])
  if (typeof value !== 'object' || value === null) return null
  const { froms, node, table, identifier, name } = value as Readonly<Record<string, unknown>>
  return readName(froms ?? node ?? table ?? identifier ?? name ?? null)
}
