import type { AnswerQuestion } from './answer-set.ts'

export interface GivenAnswer {
  text: string
  isAnswered: boolean
}

/** Shares of 0 to 1; of answerable questions, `falseAnswers` aside. */
export interface AnswerFigures {
  questions: number
  /** The answer links a page that holds the answer. */
  rightPage: number
  /** Every fact stands in the answer. */
  factFound: number
  /** Of the questions that nothing answers: those that were answered all the same. */
  falseAnswers: number
  refusedWrongly: number
}

export interface JudgedAnswer extends GivenAnswer {
  question: AnswerQuestion
  isRightPage: boolean
  isFactFound: boolean
}

export function judgeAnswer(question: AnswerQuestion, answer: GivenAnswer): JudgedAnswer {
  const linked = new Set([...answer.text.matchAll(/\]\((\/[^)#]*)/g)].map(([, path]) => path))
  const text = foldSpaces(answer.text)
  return {
    ...answer,
    question,
    isRightPage: answer.isAnswered && question.pages.some((page) => linked.has(page)),
    isFactFound:
      answer.isAnswered && question.facts.every((group) => group.some((fact) => text.includes(foldSpaces(fact)))),
  }
}

function foldSpaces(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

export function summarizeAnswers(judged: readonly JudgedAnswer[]): AnswerFigures {
  const answerable = judged.filter(({ question }) => question.answerable)
  const others = judged.filter(({ question }) => !question.answerable)
  return {
    questions: judged.length,
    rightPage: share(answerable, ({ isRightPage }) => isRightPage),
    factFound: share(answerable, ({ isFactFound }) => isFactFound),
    falseAnswers: share(others, ({ isAnswered }) => isAnswered),
    refusedWrongly: share(answerable, ({ isAnswered }) => !isAnswered),
  }
}

function share<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length
}
