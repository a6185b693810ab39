import { createHmac, hash, type KeyObject } from 'node:crypto'
import type { TokenUsage } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { AskedContext, Message } from '../store/messages.ts'
import type { AnswerRecord } from '../store/write-answers.ts'
import type { CitedPage } from './cited-pages.ts'
import type { JudgedAnswer } from './judge-answer.ts'
import type { OpenThread } from './open-thread.ts'

/** Who asks, as far as the edge knows. */
export interface Asker {
  /** What the question comes through, such as `widget` or `api`. */
  caller: string
  keyId: string | null
}

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
  judged: JudgedAnswer
  /** Null when it ended before one was chosen. */
  model: string | null
  usage: TokenUsage
  costUsd: number | null
  threadKeySecret: KeyObject
  startedAtMs: number
  firstTextAtMs: number | null
  endedAtMs: number
  asker: Asker
  /** Paths of the pages that the model got to read. */
  triedPaths: readonly string[]
}

/** The thread and the two messages of a turn, as they are stored. */
export function buildAnswerRecord(answer: EndedAnswer): AnswerRecord {
  const { site, question, thread, startedAtMs, endedAtMs } = answer
  return {
    thread: {
      siteId: site.id,
      id: thread.id,
      keyHash: hash('sha256', thread.key),
      fp: question.fp,
      createdAt: startedAtMs,
      updatedAt: endedAtMs,
    },
    messages: [questionMessage(answer), answerMessage(answer)],
    // Under an id that was made for it just now, nothing can have been asked before.
    ...(question.threadId !== null && { replaces: question.trigger === 'regenerate-message' ? 'any' : 'newest' }),
  }
}

/**
 * Tells the same question at the same place of a thread, asked by the same reader: clients that want another answer
 * send it again. With a secret, because questions may hold what must not be stored and could be guessed.
 */
function makeTurnKey({ site, question, thread, threadKeySecret }: EndedAnswer): string {
  const turn = ['turn', site.id, thread.id, question.fp, question.turn, question.question]
  return createHmac('sha256', threadKeySecret).update(JSON.stringify(turn)).digest('base64url')
}

function questionMessage(answer: EndedAnswer): Message {
  const { site, question, thread, questionId, startedAtMs } = answer
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
    costUsd: null,
    verdictReasons: [],
    turnKey: makeTurnKey(answer),
    questionId: null,
    asked: null,
    createdAt: startedAtMs,
  }
}

function answerMessage(answer: EndedAnswer): Message {
  const { site, thread, judged, startedAtMs, firstTextAtMs, endedAtMs } = answer
  const isFinished = answer.outcome === 'finished'
  return {
    id: answer.answerId,
    siteId: site.id,
    threadId: thread.id,
    role: 'assistant',
    text: answer.text,
    sources: answer.cited.map(({ url, title }) => ({ url, title })),
    // `unanswered` is what the site lacks, so an answer that broke off is not counted as one.
    verdict: isFinished ? judged.verdict : answer.outcome,
    generationId: site.generation.id,
    model: answer.model,
    usage: answer.usage,
    timings: {
      totalMs: endedAtMs - startedAtMs,
      ...(firstTextAtMs === null ? {} : { firstTextMs: firstTextAtMs - startedAtMs }),
    },
    costUsd: answer.costUsd,
    verdictReasons: isFinished ? judged.reasons : [],
    turnKey: null,
    questionId: answer.questionId,
    asked: readAsked(answer),
    // After its question, also when both fall into one millisecond.
    createdAt: Math.max(endedAtMs, startedAtMs + 1),
  }
}

const triedPathsMax = 50
/** Requests may name anything. */
const editionCharsMax = 200

function readAsked({ asker, question, triedPaths }: EndedAnswer): AskedContext {
  const { filter, currentPath } = question
  return {
    ...asker,
    version: cutEdition(filter.version),
    language: cutEdition(filter.language),
    currentPath,
    triedPaths: triedPaths.slice(0, triedPathsMax),
  }
}

function cutEdition(name: string | undefined): string | null {
  return name === undefined ? null : name.slice(0, editionCharsMax).toWellFormed()
}
