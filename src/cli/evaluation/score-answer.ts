import { containsFact, namesPage } from '../../content/suite/find-suite-failures.ts'
import type { SuiteAnswer } from '../../assistant/suite/collect-answer.ts'
import type { AnswerQuestion } from './eval-answer-set.ts'

export interface GivenAnswer extends SuiteAnswer {
  /** Paths of the pages that its text links. */
  links: readonly string[]
}

/** Quality of an answer, regardless of the verdict it claims. */
export const truths = ['right', 'partly', 'wrong'] as const

export type Truth = (typeof truths)[number]

export interface ScoredAnswer extends GivenAnswer {
  question: AnswerQuestion
  /** It cites a page that answers the question. */
  isRightPage: boolean
  /** It contains every fact. */
  isFactFound: boolean
  truth: Truth
}

/** Part of a total. */
export interface AnswerShare {
  count: number
  total: number
}

export const answerMetrics = ['rightPage', 'factFound', 'falseAnswers', 'refusedWrongly', 'trueVerdicts'] as const

export type AnswerMeasure = (typeof answerMetrics)[number]

export const pathsOf = ({ sources }: SuiteAnswer): string[] => sources.map(({ path }) => path)

/** Unanswerable questions count towards neither the page nor the facts. */
export function scoreAnswer(question: AnswerQuestion, answer: GivenAnswer): ScoredAnswer {
  const isRightPage = answer.isAnswered && namesPage(question.pages, pathsOf(answer))
  const isFactFound = answer.isAnswered && question.facts.every((group) => containsFact(answer.text, group))
  const truth = scoreTruth({ ...answer, question, isRightPage, isFactFound })
  return { ...answer, question, isRightPage, isFactFound, truth }
}

/**
 * To an answerable question, `right` is an answer with its page and its facts, and `partly` one with either of them or
 * with a link to the page. To an unanswerable one, only a refusal is right.
 */
function scoreTruth(answer: Omit<ScoredAnswer, 'truth'>): Truth {
  const { question, isRightPage, isFactFound, links } = answer
  if (isCorrect(answer)) return 'right'
  const isNear = isRightPage || isFactFound || namesPage(question.pages, links)
  return question.answerable && isNear ? 'partly' : 'wrong'
}

export function isCorrect({ question, isAnswered, isRightPage, isFactFound }: Omit<ScoredAnswer, 'truth'>): boolean {
  return question.answerable ? isRightPage && isFactFound : !isAnswered
}

/** Whether the verdict claims no more than is true: a `supported` answer is right, and what is `unanswered` is unanswerable. */
function isVerdictTrue({ verdict, truth, question }: ScoredAnswer): boolean {
  if (verdict === 'supported') return truth === 'right'
  if (verdict === 'unanswered') return !question.answerable
  return verdict !== null && truth !== 'wrong'
}

/** False answers are a share of the unanswerable questions, true verdicts of all, other measures of the answerable ones. */
export function countAnswers(scored: readonly ScoredAnswer[]): Record<AnswerMeasure, AnswerShare> {
  const answerable = scored.filter(({ question }) => question.answerable)
  const others = scored.filter(({ question }) => !question.answerable)
  return {
    rightPage: share(answerable, ({ isRightPage }) => isRightPage),
    factFound: share(answerable, ({ isFactFound }) => isFactFound),
    falseAnswers: share(others, ({ isAnswered }) => isAnswered),
    refusedWrongly: share(answerable, ({ isAnswered }) => !isAnswered),
    trueVerdicts: share(scored, isVerdictTrue),
  }
}

function share(all: readonly ScoredAnswer[], is: (one: ScoredAnswer) => boolean): AnswerShare {
  return { count: all.filter(is).length, total: all.length }
}

/** 0 to 1; 0 if the total is 0. */
export function toRatio({ count, total }: AnswerShare): number {
  return total === 0 ? 0 : count / total
}

/** Standard deviations for a 95 % confidence interval. */
const deviations = 1.96

/**
 * 95 % confidence interval of the share (Wilson score).
 *
 * @returns Both ends, 0 to 1.
 * @see Wilson: Probable inference, the law of succession, and statistical inference, JASA 1927.
 */
export function shareInterval(measured: AnswerShare): [low: number, high: number] {
  const { total } = measured
  if (total === 0) return [0, 1]
  const value = toRatio(measured)
  const spread = deviations ** 2 / total
  const middle = value + spread / 2
  const reach = deviations * Math.sqrt((value * (1 - value)) / total + spread / (4 * total))
  return [Math.max(0, (middle - reach) / (1 + spread)), Math.min(1, (middle + reach) / (1 + spread))]
}

export const formatRatio = (value: number): string => value.toFixed(3)
