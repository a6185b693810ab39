type SpanAttribute = string | number | boolean | readonly string[]
export type SpanAttributes = Readonly<Record<string, SpanAttribute | null | undefined>>

export interface SpanOptions {
  /** `server`: a request to us. `client`: our request to another service. `consumer`: work from a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
}

/** Trace context as carried by headers. */
export interface TraceHeaders {
  traceparent?: string
  tracestate?: string
}

/** A timed operation within a trace. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Whether attributes may contain prompts and answers. Off unless the operator enables it. */
  readonly hasContent: boolean
  startChild(name: string, options?: SpanOptions): Span
  /** Adds a child span that has already ended, `durationMs` after it began. */
  addChild(name: string, durationMs: number, options?: SpanOptions & { error?: unknown }): void
  set(attributes: SpanAttributes): void
  /** Adds an event at the current time. */
  note(event: string, attributes?: SpanAttributes): void
  /** Records the kind of the error, never its message, which may contain user input. */
  fail(error: unknown): void
  rename(name: string): void
  end(): void
  /** Headers that continue the trace in the service we call. */
  headers(): TraceHeaders
}

/** Starts traces. */
export interface Tracer {
  /** @param parent Trace context of the caller; a new trace without one. */
  startRoot(name: string, options?: SpanOptions & { parent?: TraceHeaders }): Span
  /** Sends pending spans. Resolves within seconds and never rejects. */
  close(): Promise<void>
}
