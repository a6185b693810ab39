import type { TestedAnswer } from '../../content/suite/find-suite-failures.ts'
import { type AssistantQuestion, readQuestion } from '../../contract/assistant-request.ts'
import type { EmitAnswerEvent } from '../../contract/answer-event.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import { type AnswerVerdict, isAnswer, readVerdict } from '../../contract/verdicts.ts'

/** An answer to a question of a suite. */
export interface SuiteAnswer extends TestedAnswer {
  /** Null if the server gives none that this version knows. */
  verdict: AnswerVerdict | null
}

/** A suite answer with what it rests on. */
export interface CollectedAnswer extends SuiteAnswer {
  sources: readonly { path: string; title: string; version: string | null }[]
  /** Word for word from the pages. */
  quotes: readonly string[]
  /** Why the offline model took over; null if it did not. */
  modelReason: string | null
}

/** The question of a test, as a reader would send it. */
export function toQuestion({ question, version }: Pick<SuiteTest, 'question' | 'version'>): AssistantQuestion {
  return readQuestion('v2', {
    fp: 'docent-test',
    messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
    filter: version === null ? null : { version },
  })
}

/**
 * Collects an answer from its events.
 *
 * @param ask Emits the events and resolves at the end.
 * @throws {Error} the sentence that readers get, if the answer fails.
 */
export async function collectAnswer(ask: (emit: EmitAnswerEvent) => Promise<void>): Promise<CollectedAnswer> {
  const pieces: string[] = []
  const sources: { path: string; title: string; version: string | null }[] = []
  const quotes: string[] = []
  let modelReason: string | null = null
  let step = { pieces: 0, sources: 0, quotes: 0 }
  let verdict: AnswerVerdict = 'unanswered'
  let failure: string | null = null
  await ask((event) => {
    if (event.type === 'step-started') step = { pieces: pieces.length, sources: sources.length, quotes: quotes.length }
    if (event.type === 'step-restarted') {
      pieces.length = step.pieces
      sources.length = step.sources
      quotes.length = step.quotes
    }
    if (event.type === 'text-delta') pieces.push(event.text)
    if (event.type === 'source-cited' && event.passage !== undefined) {
      const { path, version = null } = event.passage
      sources.push({ path, title: event.title, version })
    }
    if (event.type === 'sentence-cited') quotes.push(event.citation.quote)
    if (event.type === 'answer-finished') {
      verdict = readVerdict(event.metadata['verdict']) ?? verdict
      const reason = event.metadata['modelReason']
      modelReason = typeof reason === 'string' ? reason : null
    }
    if (event.type === 'answer-failed') failure = event.message
    return undefined
  })
  if (failure !== null) throw new Error(failure)
  return { text: pieces.join(''), sources, quotes, modelReason, verdict, isAnswered: isAnswer(verdict) }
}
