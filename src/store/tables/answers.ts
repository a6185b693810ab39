import type { TokenUsage } from '../../contract/answer-event.ts'
import type { ReaskedQuestion } from '../../contract/insights.ts'
import { boolean, childOf, id, items, nullable, object, real, strings, table, text, time } from './define-table.ts'

/** A page that an answer cited. */
export interface MessageSource {
  url: string
  title: string
}

/** Milliseconds by the name of what took them. */
export type MessageTimings = { [name: string]: number }

export const answerTables = {
  threads: table(
    {
      siteId: childOf('sites.id'),
      id: text(),
      /** Hash of the thread key, which the first answer returns. */
      keyHash: text(),
      /** The client's fingerprint of the reader. */
      fp: text(),
      createdAt: time(),
      updatedAt: time(),
    },
    { primaryKey: ['siteId', 'id'], indexes: { byUpdate: ['siteId', 'updatedAt', 'id'], byAge: ['updatedAt'] } },
  ),
  messages: table(
    {
      /** Made by the service, because ids of clients may repeat. */
      id: id(),
      siteId: text(),
      threadId: text(),
      role: text<'user' | 'assistant'>(),
      text: text(),
      sources: items<MessageSource>(),
      verdict: nullable(text()),
      /** Index generation that the answer was made from; it may have been removed. */
      generationId: nullable(text()),
      model: nullable(text()),
      usage: nullable(object<TokenUsage>()),
      timings: nullable(object<MessageTimings>()),
      createdAt: time(),
      /** US dollars; null when the model has no known price. */
      costUsd: nullable(real()),
      /** Sentences that explain the verdict. */
      verdictReasons: strings(),
      /** On questions: the same for the same question at the same place in a thread. */
      turnKey: nullable(text()),
      /** On answers. */
      questionId: nullable(text()),
      /** The answer that replaced this one. */
      replacedBy: nullable(text()),
      /** On answers, these six: who asked, and in which context. */
      caller: nullable(text()),
      keyId: nullable(text()),
      version: nullable(text()),
      language: nullable(text()),
      currentPath: nullable(text()),
      triedPaths: nullable(strings()),
    },
    {
      parent: { table: 'threads', columns: ['siteId', 'threadId'], keys: ['siteId', 'id'] },
      indexes: {
        byThread: ['siteId', 'threadId', 'createdAt', 'id'],
        byTurn: { columns: ['turnKey'], where: 'turn_key is not null' },
        byQuestion: { columns: ['questionId'], where: 'question_id is not null' },
        ofAnswers: { columns: ['siteId', 'createdAt', 'id'], where: "role = 'assistant'" },
      },
    },
  ),
  feedback: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      threadId: text(),
      messageId: childOf('messages.id'),
      /** The client's fingerprint of the reader. */
      fp: text(),
      isHelpful: boolean(),
      reason: nullable(text()),
      note: nullable(text()),
      createdAt: time(),
      updatedAt: time(),
    },
    { unique: ['messageId', 'fp'], indexes: { bySite: ['siteId', 'id'] } },
  ),
  /** Gaps in the documentation, identified by the first question that revealed them. */
  gaps: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** The gap is deleted with its question, so that retention and deletion leave nothing behind. */
      questionId: childOf('messages.id'),
      state: text<'open' | 'drafted' | 'mended'>(),
      jobId: nullable(text()),
      /** The questions, with what was answered when they were asked again. */
      answers: items<ReaskedQuestion>(),
      createdAt: time(),
      updatedAt: time(),
    },
    {
      unique: ['siteId', 'questionId'],
      indexes: { byJob: { columns: ['jobId'], where: 'job_id is not null' }, ofQuestion: ['questionId'] },
    },
  ),
}
