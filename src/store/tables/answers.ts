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
      keyHash: text(),
      fp: text(),
      createdAt: time(),
      updatedAt: time(),
    },
    { primaryKey: ['siteId', 'id'], indexes: { byUpdate: ['siteId', 'updatedAt', 'id'], byAge: ['updatedAt'] } },
  ),
  messages: table(
    {
      id: id(),
      siteId: text(),
      threadId: text(),
      role: text<'user' | 'assistant'>(),
      text: text(),
      sources: items<MessageSource>(),
      verdict: nullable(text()),
      generationId: nullable(text()),
      model: nullable(text()),
      usage: nullable(object<TokenUsage>()),
      timings: nullable(object<MessageTimings>()),
      createdAt: time(),
      costUsd: nullable(real()),
      verdictReasons: nullable(strings()),
      /** Of questions: the same for the same question at the same place of a thread. */
      turnKey: nullable(text()),
      /** Of answers. */
      questionId: nullable(text()),
      /** The answer that stands instead of this one. */
      replacedBy: nullable(text()),
      /** Of answers, these six: who asked, and about what. */
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
      fp: text(),
      isHelpful: boolean(),
      reason: nullable(text()),
      note: nullable(text()),
      createdAt: time(),
      updatedAt: time(),
    },
    { unique: ['messageId', 'fp'], indexes: { bySite: ['siteId', 'id'] } },
  ),
  /** What the documentation lacks, named by the first question that showed it. */
  gaps: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      questionId: childOf('messages.id'),
      state: text<'open' | 'drafted' | 'mended'>(),
      jobId: nullable(text()),
      /** What was answered when its questions were asked again. */
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
