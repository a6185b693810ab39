import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions, TraceHeaders } from './span.ts'
import type { Telemetry } from './telemetry.ts'

type Fields = Readonly<Record<string, unknown>>

interface WorkContext {
  /** Fields of every line logged during the work. */
  fields: Fields
  span: Span | null
}

/**
 * The current unit of work, available to everything called within it: a line logged by a model names the request it
 * belongs to, although models know nothing of requests, and spans nest without being passed along.
 */
const current = new AsyncLocalStorage<WorkContext>()

const none: WorkContext = { fields: {}, span: null }

/** Empty outside any work. */
export function activeLogFields(): Fields {
  return (current.getStore() ?? none).fields
}

/** Null if no traces are collected, and outside any work. */
export function activeSpan(): Span | null {
  return (current.getStore() ?? none).span
}

/** Headers that propagate the trace; empty without one. */
export function activeTraceHeaders(): TraceHeaders {
  return activeSpan()?.headers() ?? {}
}

export interface UnitOfWork extends SpanOptions {
  name: string
  parent?: TraceHeaders
  /** Adds ids to every further log line. */
  fields: Fields
}

/**
 * Runs a unit of work: a request, an index run, a round of a job. It is the root of a trace if traces are collected,
 * and its log lines carry its ids and the trace id.
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

/** Runs part of the work as a span; without a trace it just runs. */
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
