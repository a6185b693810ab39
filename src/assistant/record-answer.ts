import { createHash } from 'node:crypto'
import type { TokenUsage } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { Message } from '../store/messages.ts'
import type { AnswerRecord } from '../store/write-group.ts'
import type { CitedPage } from './cited-pages.ts'
import type { AnswerVerdict } from './judge-answer.ts'
import type { OpenThread } from './open-thread.ts'

export type AnswerOutcome = 'finished' | 'failed' | 'disconnected'

export interface EndedAnswer {
  site: LiveSite
  question: AssistantQuestion
  thread: OpenThread
  outcome: AnswerOutcome
  questionId: string
  answerId: string
  text: string
  cited: readonly CitedPage[]
  verdict: AnswerVerdict
  model: string
  usage: TokenUsage
  startedAtMs: number
  firstTextAtMs: number | null
  endedAtMs: number
}

/** The thread and the two messages of a turn, as they are stored. */
export function buildAnswerRecord(answer: EndedAnswer): AnswerRecord {
  const { site, question, thread, startedAtMs, endedAtMs } = answer
  return {
    thread: {
      siteId: site.id,
      id: thread.id,
      keyHash: createHash('sha256').update(thread.key).digest('hex'),
      fp: question.fp,
      createdAt: startedAtMs,
      updatedAt: endedAtMs,
    },
    messages: [questionMessage(answer), answerMessage(answer)],
  }
}

function questionMessage({ site, question, thread, questionId, startedAtMs }: EndedAnswer): Message {
  return {
    id: questionId,
    siteId: site.id,
    threadId: thread.id,
    role: 'user',
    text: question.question,
    sources: [],
    verdict: null,
    generationId: null,
    model: null,
    usage: null,
    timings: null,
    createdAt: startedAtMs,
  }
}

function answerMessage(answer: EndedAnswer): Message {
  const { site, thread, startedAtMs, firstTextAtMs, endedAtMs } = answer
  return {
    id: answer.answerId,
    siteId: site.id,
    threadId: thread.id,
    role: 'assistant',
    text: answer.text,
    sources: answer.cited.map(({ url, title }) => ({ url, title })),
    // `unanswered` is what the site lacks, so an answer that broke off is not counted as one.
    verdict: answer.outcome === 'finished' ? answer.verdict : answer.outcome,
    generationId: site.generation.id,
    model: answer.model,
    usage: answer.usage,
    timings: {
      totalMs: endedAtMs - startedAtMs,
      ...(firstTextAtMs === null ? {} : { firstTextMs: firstTextAtMs - startedAtMs }),
    },
    // After its question, also when both fall into one millisecond.
    createdAt: Math.max(endedAtMs, startedAtMs + 1),
  }
}
