import type { AnswerEvent, EmitAnswerEvent } from '../../contract/answer-event.ts'
import { AppError } from '../../contract/app-error.ts'

export const brokenAnswerMessage = 'Something went wrong while answering, so this answer stays incomplete. Ask again.'

/**
 * Emits the events of an answer. Called once, synchronously. When nobody wants the answer any more, the signal aborts
 * and later events are discarded; a source that waits must listen to the signal. It may continue after its last event,
 * when the client already has the whole answer.
 */
export type AnswerSource = (emit: EmitAnswerEvent, signal: AbortSignal) => Promise<void>

/** Destination of an answer's text. */
export interface AnswerSink {
  /** @returns If the reader cannot keep up, a promise to await before the next write. */
  write(text: string): Promise<void> | undefined
  /** The answer is complete. */
  end(): unknown
}

interface RunSourceInput {
  source: AnswerSource
  sink: AnswerSink
  encode: (event: AnswerEvent) => string
  signal: AbortSignal
  /** Receives the source's bugs; the client only learns that something failed. */
  reportError: (error: unknown) => void
}

/**
 * Runs a source into a sink. If the source throws or stops early, the answer fails with an error message. Never
 * rejects.
 */
export async function runSource(input: RunSourceInput): Promise<'finished' | 'failed'> {
  const { sink, encode, signal } = input
  let outcome: 'finished' | 'failed' | null = null
  const emit: EmitAnswerEvent = (event) => {
    if (outcome !== null || signal.aborted) return undefined
    const writable = sink.write(encode(event))
    outcome = readOutcome(event)
    if (outcome !== null) sink.end()
    return writable
  }
  try {
    await input.source(emit, signal)
    if (outcome === null && !signal.aborted) throw new Error('The source of an answer ended without its last event.')
  } catch (error) {
    if (signal.aborted) return 'failed'
    if (!(error instanceof AppError)) input.reportError(error)
    if (outcome === null) await sink.write(encode({ type: 'answer-failed', message: describeFault(error) }))
  }
  return outcome ?? 'failed'
}

function readOutcome({ type }: AnswerEvent): 'finished' | 'failed' | null {
  if (type === 'answer-finished') return 'finished'
  return type === 'answer-failed' ? 'failed' : null
}

function describeFault(error: unknown): string {
  return error instanceof AppError ? error.message : brokenAnswerMessage
}
