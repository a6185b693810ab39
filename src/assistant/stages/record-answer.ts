import { createHmac, hash, type KeyObject } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import { type AskedContext, type Message, noAnswer } from '../../store/answers/messages.ts'
import type { AnswerBasis } from '../../store/tables/answers.ts'
import type { AnswerRecord } from '../../store/answers/write-answers.ts'
import type { WriteGroup } from '../../store/write-group.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { activeSpan } from '../../telemetry/work-context.ts'
import { writeStoredQuestion } from '../prompt/attached-files.ts'
import type { AnswerPages } from '../answer-pages.ts'
import type { GatedAnswer } from './gate-answer.ts'
import type { ModelWork } from './generate-answer.ts'
import type { PreparedAnswer } from './prepare-answer.ts'
import type { VerifiedAnswer } from './verify-answer.ts'

export interface RecordDeps {
  clock: Clock
  ids: IdSource
  threadKeySecret: KeyObject
  /** Batches the durable writes of concurrent answers. */
  writes: WriteGroup
  /** Without it, nothing is measured. */
  metrics?: Metrics
}

type AnswerOutcome = 'finished' | 'failed' | 'disconnected'

/** An answer that has ended, and its results. */
export interface EndedAnswer extends ModelWork {
  answer: PreparedAnswer
  pages: AnswerPages
  gated: GatedAnswer
  outcome: AnswerOutcome
  verified: VerifiedAnswer
}

/**
 * Stores the answer. Resolves when it is on disk.
 *
 * @throws if the database write fails.
 */
export async function recordAnswer(deps: RecordDeps, ended: EndedAnswer): Promise<void> {
  await deps.writes.add(buildRecord(deps, ended))
  measureAnswer(deps, ended)
}

function buildRecord(deps: RecordDeps, ended: EndedAnswer): AnswerRecord {
  const { site, question, thread, startedAtMs } = ended.answer
  const questionId = deps.ids.prefixed('msg')
  const endedAtMs = deps.clock.now()
  return {
    thread: {
      siteId: site.id,
      id: thread.id,
      keyHash: hash('sha256', thread.key),
      fp: question.fp,
      createdAt: startedAtMs,
      updatedAt: endedAtMs,
    },
    messages: [
      questionMessage(deps.threadKeySecret, ended.answer, questionId),
      answerMessage(ended, questionId, endedAtMs),
    ],
    // A thread id generated just now cannot have earlier questions.
    ...(question.threadId !== null && { replaces: question.trigger === 'regenerate-message' ? 'any' : 'newest' }),
  }
}

/**
 * Identifies a question asked again at the same place of a thread by the same reader, which is how clients request
 * another answer. Keyed, because questions may contain data that must not be stored and could be guessed.
 */
function makeTurnKey(secret: KeyObject, { site, question, thread }: PreparedAnswer): string {
  const turn = ['turn', site.id, thread.id, question.fp, question.turn, writeStoredQuestion(question)]
  return createHmac('sha256', secret).update(JSON.stringify(turn)).digest('base64url')
}

function questionMessage(secret: KeyObject, answer: PreparedAnswer, id: string): Message {
  const { site, thread, question, startedAtMs } = answer
  const key = { id, siteId: site.id, threadId: thread.id, turnKey: makeTurnKey(secret, answer) }
  return { ...noAnswer, ...key, role: 'user', text: writeStoredQuestion(question), createdAt: startedAtMs }
}

function answerMessage(ended: EndedAnswer, questionId: string, endedAtMs: number): Message {
  const { answer, pages, gated, outcome, verified } = ended
  const { site, thread, startedAtMs } = answer
  const { firstTextAtMs } = gated
  const isFinished = outcome === 'finished'
  return {
    id: answer.id,
    siteId: site.id,
    threadId: thread.id,
    role: 'assistant',
    text: gated.text,
    sources: pages.citations.sections.map(({ url, title }) => ({ url, title })),
    citations: gated.citations,
    // `unanswered` counts as a gap in the site, so an answer that broke off is not one.
    verdict: isFinished ? verified.verdict : outcome,
    generationId: site.generation.id,
    model: ended.modelId,
    usage: ended.usage,
    timings: {
      totalMs: endedAtMs - startedAtMs,
      ...(firstTextAtMs === null ? {} : { firstTextMs: firstTextAtMs - startedAtMs }),
    },
    costUsd: answer.account.costUsd,
    verdictReasons: isFinished ? verified.reasons : [],
    turnKey: null,
    questionId,
    asked: readAsked(answer, pages),
    basis: describeBasis(ended),
    // After its question, even if both fall into the same millisecond.
    createdAt: Math.max(endedAtMs, startedAtMs + 1),
  }
}

const triedPathsMax = 50
/** Requests may contain arbitrary values. */
const editionCharsMax = 200

function readAsked({ asker, question }: PreparedAnswer, { readPaths }: AnswerPages): AskedContext {
  const { filter, currentPath } = question
  return {
    ...asker,
    version: cutEdition(filter.version),
    language: cutEdition(filter.language),
    currentPath,
    triedPaths: readPaths.slice(0, triedPathsMax),
  }
}

function describeBasis({ answer, promptSha256 }: EndedAnswer): AnswerBasis {
  const { site, reader, question, links, answerOptions } = answer
  const { filter, retrievalPageSize: pageSize, turn, context, attachments } = question
  return {
    revision: site.generation.revision,
    commit: site.commit,
    readerGroups: [...reader.readerGroups],
    isSignedIn: reader.isSignedIn,
    pageSize,
    tag: cutEdition(filter.tag),
    groups: filter.groups?.map(cutName) ?? null,
    links,
    answerOptions: [...answerOptions],
    turn,
    hadContext: context.length > 0 || attachments.length > 0,
    promptSha256,
  }
}

function cutEdition(name: string | undefined): string | null {
  return name === undefined ? null : cutName(name)
}

function cutName(name: string): string {
  return name.slice(0, editionCharsMax).toWellFormed()
}

function measureAnswer(
  { clock, metrics }: RecordDeps,
  { answer, gated, modelId, outcome, verified }: EndedAnswer,
): void {
  const { verdict } = verified
  activeSpan()?.set({ 'docent.outcome': outcome, 'docent.verdict': verdict })
  if (metrics === undefined) return
  const { startedAtMs } = answer
  const { firstTextAtMs } = gated
  const model = modelId ?? 'none'
  metrics.add('docent_answers_total', { outcome, verdict: outcome === 'finished' ? verdict : 'none' })
  metrics.observe('docent_answer_seconds', { model }, (clock.now() - startedAtMs) / 1_000)
  if (firstTextAtMs === null) return
  metrics.observe('docent_answer_first_text_seconds', { model }, (firstTextAtMs - startedAtMs) / 1_000)
}
