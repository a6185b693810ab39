import { hash } from 'node:crypto'
import type { IdSource } from '../base/ids.ts'
import type { AnswerRecord } from '../store/answers/write-answers.ts'

/** Fields that only answers of the assistant have. */
const noAnswer = {
  text: '',
  sources: [],
  citations: [],
  generationId: null,
  model: null,
  usage: null,
  timings: null,
  costUsd: null,
  verdictReasons: [],
  basis: null,
  turnKey: null,
}

/** What an agent missed, as a question without an answer. */
export function writeMissedQuestion({
  siteId,
  text,
  at,
  ids,
}: {
  siteId: string
  text: string
  at: number
  ids: IdSource
}): AnswerRecord {
  const [threadId, questionId] = [ids.prefixed('thr'), ids.prefixed('msg')]
  const context = { origin: null, version: null, language: null, currentPath: null, triedPaths: [] }
  const shared = { ...noAnswer, siteId, threadId, createdAt: at }
  return {
    // Nobody has the key of this thread.
    thread: {
      siteId,
      id: threadId,
      keyHash: hash('sha256', ids.prefixed('key')),
      fp: 'agent',
      createdAt: at,
      updatedAt: at,
    },
    messages: [
      { ...shared, id: questionId, role: 'user', text, verdict: null, questionId: null, asked: null },
      {
        ...shared,
        id: ids.prefixed('msg'),
        role: 'assistant',
        verdict: 'unanswered',
        questionId,
        asked: { ...context, caller: 'agent', keyId: null },
      },
    ],
  }
}
