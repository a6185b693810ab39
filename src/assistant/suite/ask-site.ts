import type { SuiteTest } from '../../contract/suite.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { Log } from '../../telemetry/log.ts'
import { type AnswerDeps, answerQuestion } from '../answer-question.ts'
import { type CollectedAnswer, collectAnswer, toQuestion } from './collect-answer.ts'

/** Keeps no answer: questions of tests are nobody's. */
export const noWrites: AnswerDeps['writes'] = { add: async () => {}, flush: async () => {}, close: async () => {} }

/**
 * Asks the question of a test as a reader who is not signed in.
 *
 * @param deps With `noWrites`.
 * @throws {Error} the sentence that readers get, if the answer fails.
 */
export function askSite(
  deps: AnswerDeps,
  { site, log }: { site: LiveSite; log: Log },
  test: Pick<SuiteTest, 'question' | 'version'>,
  signal: AbortSignal,
): Promise<CollectedAnswer> {
  const input = {
    // Tests judge what the pages say, not what the owner adds.
    site: { ...site, guidance: { ...site.guidance, suite: [] } },
    question: toQuestion(test),
    reader: { readerGroups: [], isSignedIn: false },
    links: 'relative' as const,
    thread: { id: deps.ids.ulid(), key: '', isNew: true },
    asker: { caller: 'cli', keyId: null, origin: null },
    answerOptions: [],
    log,
  }
  return collectAnswer((emit) => answerQuestion(deps, input, emit, signal))
}
