import type { AnswerEvent, EmitAnswerEvent } from '../../src/contract/answer-event.ts'

/** A source that emits what a generator yields, and returns the generator when its signal aborts. */
export function emitFrom(generate: (signal: AbortSignal) => AsyncIterable<AnswerEvent>) {
  return async (emit: EmitAnswerEvent, signal: AbortSignal): Promise<void> => {
    for await (const event of generate(signal)) {
      if (signal.aborted) return
      await emit(event)
    }
  }
}
