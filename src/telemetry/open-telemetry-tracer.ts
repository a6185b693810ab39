import * as api from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import * as sdk from '@opentelemetry/sdk-trace'
import type { Span, SpanAttributes, SpanOptions, TraceHeaders, Tracer } from './span.ts'

export type TraceSampler =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export interface OpenTelemetryOptions {
  /** OTLP endpoint for JSON, such as `http://localhost:4318/v1/traces`. */
  url: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  serviceVersion: string
  sampler: TraceSampler
  /** Sampling ratio, 0 to 1. */
  ratio: number
  /** Whether attributes may contain prompts and answers. */
  hasContent: boolean
  /** Called when spans could not be sent. */
  onFailure(error: unknown): void
}

/** A prompt may contain whole pages, and collectors refuse messages of several megabytes. */
const attributeCharsMax = 32_768

/** How long shutdown waits for the collector. */
const closeMs = 3_000

const kinds = {
  internal: api.SpanKind.INTERNAL,
  server: api.SpanKind.SERVER,
  client: api.SpanKind.CLIENT,
  consumer: api.SpanKind.CONSUMER,
} as const

const propagator = new W3CTraceContextPropagator()

/**
 * Exports traces by OTLP. Registers nothing globally: spans find their parents through `work-context.ts`.
 *
 * Loaded on demand, because its packages are large and most installations collect no traces.
 */
export function createOpenTelemetryTracer(options: OpenTelemetryOptions): Tracer {
  const exporter = new OTLPTraceExporter({ url: options.url, headers: { ...options.headers } })
  const processor = new sdk.BatchSpanProcessor({ exporter: logFailures(exporter, options.onFailure) })
  const provider = new sdk.TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.version': options.serviceVersion }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': options.serviceName })),
    sampler: chooseSampler(options),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: attributeCharsMax },
  })
  const tracer = provider.getTracer('docent', options.serviceVersion)
  const { hasContent } = options
  return {
    startRoot(name, { parent = {}, ...span } = {}) {
      const context = propagator.extract(api.ROOT_CONTEXT, parent, api.defaultTextMapGetter)
      return new OpenTelemetrySpan({ tracer, hasContent }, tracer.startSpan(name, toOptions(span), context))
    },
    async close() {
      const late = AbortSignal.timeout(closeMs)
      const isLate = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([provider.shutdown().catch(options.onFailure), isLate])
    },
  }
}

interface SpanDeps {
  tracer: api.Tracer
  hasContent: boolean
}

class OpenTelemetrySpan implements Span {
  readonly traceId: string
  readonly hasContent: boolean
  readonly #deps: SpanDeps
  readonly #span: api.Span

  constructor(deps: SpanDeps, span: api.Span) {
    this.#deps = deps
    this.#span = span
    this.traceId = span.spanContext().traceId
    this.hasContent = deps.hasContent && span.isRecording()
  }

  startChild(name: string, options: SpanOptions = {}): Span {
    return new OpenTelemetrySpan(this.#deps, this.#start(name, toOptions(options)))
  }

  addChild(name: string, durationMs: number, options: SpanOptions & { error?: unknown } = {}): void {
    const endTime = Date.now()
    const child = this.#start(name, { ...toOptions(options), startTime: endTime - durationMs })
    if (options.error !== undefined) failSpan(child, options.error)
    child.end(endTime)
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(toAttributes(attributes))
  }

  note(event: string, attributes: SpanAttributes = {}): void {
    this.#span.addEvent(event, toAttributes(attributes))
  }

  fail(error: unknown): void {
    failSpan(this.#span, error)
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  end(): void {
    this.#span.end()
  }

  headers(): TraceHeaders {
    const headers: TraceHeaders = {}
    propagator.inject(api.trace.setSpan(api.ROOT_CONTEXT, this.#span), headers, api.defaultTextMapSetter)
    return headers
  }

  #start(name: string, options: api.SpanOptions): api.Span {
    return this.#deps.tracer.startSpan(name, options, api.trace.setSpan(api.ROOT_CONTEXT, this.#span))
  }
}

function failSpan(span: api.Span, error: unknown): void {
  span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.setAttribute('error.type', nameError(error))
}

/** Prefers the error code, because most error classes say little. */
function nameError(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function toOptions({ kind = 'internal', attributes = {} }: SpanOptions): api.SpanOptions {
  return { kind: kinds[kind], attributes: toAttributes(attributes) }
}

function toAttributes(attributes: SpanAttributes): api.Attributes {
  const known: api.Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) known[name] = Array.isArray(value) ? [...(value as string[])] : value
  }
  return known
}

function chooseSampler({ sampler, ratio }: OpenTelemetryOptions): sdk.Sampler {
  if (sampler.startsWith('parentbased_')) return new sdk.ParentBasedSampler({ root: chooseRoot(sampler, ratio) })
  return chooseRoot(sampler, ratio)
}

function chooseRoot(sampler: TraceSampler, ratio: number): sdk.Sampler {
  if (sampler.endsWith('always_off')) return new sdk.AlwaysOffSampler()
  return sampler.endsWith('traceidratio') ? new sdk.TraceIdRatioBasedSampler(ratio) : new sdk.AlwaysOnSampler()
}

/** The exporter reports failures only to its own diagnostics log, which is off. */
function logFailures(exporter: OTLPTraceExporter, onFailure: (error: unknown) => void): sdk.SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onFailure(result.error)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}
