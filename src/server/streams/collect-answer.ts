import { ChatAnswer } from '../../contract/chat-completion.ts'
import { type AnswerVerdict, readVerdict } from '../../contract/verdicts.ts'
import type { AnswerFailure } from '../replies/answer-failed.ts'
import { brokenAnswerMessage, runSource } from './run-source.ts'
import type { AnswerStream } from './write-answer-stream.ts'

export interface CollectedAnswer {
  /** Markdown, with a list of its sources at the end. */
  answer: string
  verdict: AnswerVerdict | null
  /** Addresses of the sections that the answer rests on. */
  sources: string[]
  messageId: string
}

/**
 * Waits for a whole answer, for clients that read no stream.
 *
 * @returns Why there is no answer, if there is none.
 * @throws {Error} the reason of the signal.
 */
export async function collectAnswer(
  answer: Pick<AnswerStream, 'source' | 'reportError'>,
  signal: AbortSignal,
): Promise<CollectedAnswer | { failure: AnswerFailure }> {
  const completion = new ChatAnswer(0)
  let verdict: unknown = null
  const outcome = await runSource({
    ...answer,
    sink: { write: () => undefined, end: () => undefined },
    encode: (event) => {
      if (event.type === 'answer-finished') verdict = event.metadata['verdict']
      return completion.add(event)
    },
    signal,
  })
  signal.throwIfAborted()
  if (outcome === 'failed') return { failure: completion.failure ?? { message: brokenAnswerMessage } }
  const { id, choices, citations } = completion.complete()
  return {
    answer: choices[0]?.message.content ?? '',
    verdict: readVerdict(verdict),
    sources: citations,
    messageId: id,
  }
}
