import type { Settings } from '../config/settings.ts'
import type { Log } from '../telemetry/log.ts'
import { noMetrics } from '../telemetry/metrics.ts'
import type { PrometheusMetrics } from '../telemetry/prometheus-metrics.ts'
import type { Tracer } from '../telemetry/span.ts'
import { noTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import { productVersion } from './product-version.ts'

/** Metrics and traces of this process. */
export interface LoadedTelemetry extends Telemetry {
  /** Null unless the settings name a port for metrics. */
  prometheus: PrometheusMetrics | null
}

/** Loads only what the settings ask for. */
export async function loadTelemetry(settings: Settings, log: Log): Promise<LoadedTelemetry> {
  const prometheus = settings.metricsPort === undefined ? null : await loadPrometheus(log)
  const tracer = await loadTracer(settings, log)
  if (prometheus === null && tracer === null) return { ...noTelemetry, prometheus }
  return { metrics: prometheus ?? noMetrics, tracer, prometheus }
}

async function loadPrometheus(log: Log): Promise<PrometheusMetrics> {
  const module = await import('../telemetry/prometheus-metrics.ts')
  return new module.PrometheusMetrics({ onFailure: (error) => log.warn({ error }, 'gauges-not-read') })
}

/** Shortest time between two log lines about an unreachable collector. */
const tellEveryMs = 60_000

async function loadTracer(settings: Settings, log: Log): Promise<Tracer | null> {
  const { otlpEndpoint, otlpTracesEndpoint, otelDisabled } = settings
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined || otelDisabled) return null
  const { createOpenTelemetryTracer } = await import('../telemetry/open-telemetry-tracer.ts')
  let toldAt = -Infinity
  return createOpenTelemetryTracer({
    url,
    headers: readHeaders(settings.otlpHeaders),
    serviceName: settings.otelServiceName,
    serviceVersion: productVersion,
    sampler: settings.tracesSampler,
    ratio: settings.tracesSamplerArg,
    hasContent: settings.traceContent,
    onFailure(error) {
      const now = performance.now()
      if (now - toldAt < tellEveryMs) return
      toldAt = now
      log.warn({ error }, 'traces-not-sent')
    },
  })
}

/** `name=value` pairs with commas between, values percent-encoded, as the OTLP exporters define them. */
function readHeaders(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').map((pair) => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name, ...rest]) => {
      const value = decodeURIComponent(rest.join('=').trim())
      return name === undefined || name.trim() === '' ? [] : [[name.trim().toLowerCase(), value]]
    }),
  )
}
