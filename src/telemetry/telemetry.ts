import { type Metrics, noMetrics } from './metrics.ts'
import type { Tracer } from './span.ts'

/** What an operator gets to see besides the log. */
export interface Telemetry {
  metrics: Metrics
  /** Null where no traces are collected. */
  tracer: Tracer | null
}

export const noTelemetry: Telemetry = { metrics: noMetrics, tracer: null }
