import { type Metrics, noMetrics } from './metrics.ts'
import type { Tracer } from './span.ts'

/** What operators see besides the log. */
export interface Telemetry {
  metrics: Metrics
  /** Null if no traces are collected. */
  tracer: Tracer | null
}

export const noTelemetry: Telemetry = { metrics: noMetrics, tracer: null }
