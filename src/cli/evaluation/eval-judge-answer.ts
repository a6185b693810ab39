import type { AnswerQuestion } from './eval-answer-set.ts'

export interface GivenAnswer {
  text: string
  isAnswered: boolean
  /** Paths of the pages it cites. */
  sources: readonly string[]
}

export interface JudgedAnswer extends GivenAnswer {
  question: AnswerQuestion
  /** It cites a page that answers the question. */
  isRightPage: boolean
  /** It contains every fact. */
  isFactFound: boolean
}

/** Part of a total. */
export interface AnswerShare {
  count: number
  total: number
}

export const answerMetrics = ['rightPage', 'factFound', 'falseAnswers', 'refusedWrongly'] as const

export type AnswerMeasure = (typeof answerMetrics)[number]

/** Unanswerable questions count towards neither the page nor the facts. */
export function judgeAnswer(question: AnswerQuestion, answer: GivenAnswer): JudgedAnswer {
  const sources = new Set(answer.sources.map(foldPath))
  const text = foldText(answer.text)
  return {
    ...answer,
    question,
    isRightPage: answer.isAnswered && question.pages.some((page) => sources.has(foldPath(page))),
    isFactFound:
      answer.isAnswered && question.facts.every((group) => group.some((fact) => text.includes(foldText(fact)))),
  }
}

function foldPath(path: string): string {
  return path.replace(/#.*$/, '').replace(/\/(?:index)?$/, '')
}

function foldText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

export function isGood({ question, isAnswered, isRightPage, isFactFound }: JudgedAnswer): boolean {
  return question.answerable ? isRightPage && isFactFound : !isAnswered
}

/** False answers are a share of the unanswerable questions, all other measures of the answerable ones. */
export function countAnswers(judged: readonly JudgedAnswer[]): Record<AnswerMeasure, AnswerShare> {
  const answerable = judged.filter(({ question }) => question.answerable)
  const others = judged.filter(({ question }) => !question.answerable)
  return {
    rightPage: share(answerable, ({ isRightPage }) => isRightPage),
    factFound: share(answerable, ({ isFactFound }) => isFactFound),
    falseAnswers: share(others, ({ isAnswered }) => isAnswered),
    refusedWrongly: share(answerable, ({ isAnswered }) => !isAnswered),
  }
}

function share(all: readonly JudgedAnswer[], is: (one: JudgedAnswer) => boolean): AnswerShare {
  return { count: all.filter(is).length, total: all.length }
}

/** 0 to 1; 0 if the total is 0. */
export function toNumber({ count, total }: AnswerShare): number {
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
  const value = toNumber(measured)
  const spread = deviations ** 2 / total
  const middle = value + spread / 2
  const reach = deviations * Math.sqrt((value * (1 - value)) / total + spread / (4 * total))
  return [Math.max(0, (middle - reach) / (1 + spread)), Math.min(1, (middle + reach) / (1 + spread))]
}
