type SpanAttribute = string | number | boolean | readonly string[]
export type SpanAttributes = Readonly<Record<string, SpanAttribute | null | undefined>>

export interface SpanOptions {
  /** `server`: a request to us. `client`: one of ours to somebody. `consumer`: work off a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
}

/** What of a trace travels in headers. */
export interface TraceHeaders {
  traceparent?: string
  tracestate?: string
}

/** A part of a trace: something that took time. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Whether prompts and answers may stand in attributes: never unless the operator has asked for it. */
  readonly hasContent: boolean
  startChild(name: string, options?: SpanOptions): Span
  /** A child that has ended already, `durationMs` after it began. */
  addChild(name: string, durationMs: number, options?: SpanOptions & { error?: unknown }): void
  set(attributes: SpanAttributes): void
  /** Something that happened at one moment. */
  note(event: string, attributes?: SpanAttributes): void
  /** Names the kind of the error, never its message, which may hold what somebody wrote. */
  fail(error: unknown): void
  rename(name: string): void
  end(): void
  /** Makes whom we call a part of the trace. */
  headers(): TraceHeaders
}

/** Begins traces. */
export interface Tracer {
  /** @param parent What the caller sent; a trace of its own where that is nothing. */
  startRoot(name: string, options?: SpanOptions & { parent?: TraceHeaders }): Span
  /** Sends what has not been sent yet. Resolves after some seconds at most, and never rejects. */
  close(): Promise<void>
}
