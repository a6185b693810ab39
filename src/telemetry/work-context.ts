import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions, TraceHeaders } from './span.ts'
import type { Telemetry } from './telemetry.ts'

type Fields = Readonly<Record<string, unknown>>

interface WorkContext {
  /** What every line says that is logged meanwhile. */
  fields: Fields
  span: Span | null
}

/**
 * What is being worked on, for everything that is called meanwhile: so that a line about a model says which request it
 * belongs to although models know of no requests, and spans nest without being handed from call to call.
 */
const current = new AsyncLocalStorage<WorkContext>()

const none: WorkContext = { fields: {}, span: null }

/** Empty outside of any work. */
export function activeLogFields(): Fields {
  return (current.getStore() ?? none).fields
}

/** Null where no traces are collected, and outside of any work. */
export function activeSpan(): Span | null {
  return (current.getStore() ?? none).span
}

/** What has to be sent along so that whom we call can be a part of the trace; empty without one. */
export function activeTraceHeaders(): TraceHeaders {
  return activeSpan()?.headers() ?? {}
}

export interface UnitOfWork extends SpanOptions {
  name: string
  parent?: TraceHeaders
  /** Ids that every line of the log is to carry. */
  fields: Fields
}

/**
 * Runs a unit of work: a request, an index run, a round of a job. It is the root of a trace where traces are collected,
 * and its lines in the log carry its ids and that of the trace.
 */
export function runUnitOfWork<T>(
  tracer: Telemetry['tracer'] | undefined,
  unit: UnitOfWork,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = tracer?.startRoot(unit.name, unit) ?? null
  const fields = span === null ? unit.fields : { ...unit.fields, traceId: span.traceId }
  return current.run({ fields, span }, () => (span === null ? work(null) : endWith(span, work(span))))
}

/** Runs a part of the work as a span of the trace; without a trace it is just run. */
export function runInSpan<T>(name: string, options: SpanOptions, work: (span: Span | null) => Promise<T>): Promise<T> {
  const context = current.getStore() ?? none
  if (context.span === null) return work(null)
  const span = context.span.startChild(name, options)
  return current.run({ ...context, span }, () => endWith(span, work(span)))
}

async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
