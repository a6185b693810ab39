import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswerQuestions, readMarkdownPages } from './answer-set.ts'
import { type OfflineAsker, openOfflineAsker } from './ask-offline.ts'
import { judgeAnswer, summarizeAnswers } from './evaluate-answers.ts'

const folder = join(import.meta.dirname, '../../test/fixtures/answers')

describe('the offline model over the pages of the project’s own set', () => {
  let asker: OfflineAsker
  beforeAll(async () => {
    asker = await openOfflineAsker(readMarkdownPages(join(folder, 'pages')), 'Brindle')
  })
  afterAll(() => asker.close())

  it('links the right page of nine in ten answerable questions and answers fewer than one in ten others', async () => {
    const questions = readAnswerQuestions(folder)

    const judged = await Promise.all(
      questions.map(async (question) => judgeAnswer(question, await asker.ask(question.query))),
    )

    const { rightPage, factFound, falseAnswers } = summarizeAnswers(judged)
    expect(questions.filter(({ answerable }) => answerable).length).toBeGreaterThanOrEqual(30)
    expect(questions.filter(({ answerable }) => !answerable).length).toBeGreaterThanOrEqual(20)
    expect(rightPage).toBeGreaterThan(0.9)
    expect(factFound).toBeGreaterThan(0.9)
    expect(falseAnswers).toBeLessThan(0.1)
  })

  it('understands a follow-up by the question before it', async () => {
    const { text } = await asker.ask('And on the Fleet plan?', ['How many members may the Stream plan have?'])

    expect(text).toContain('| Fleet |')
  })
})

it('counts an answer without the right link or with a fact missing as wrong', () => {
  const question = { qid: '1', query: 'q', pages: ['/a'], facts: [['one'], ['two', '2']], answerable: true }
  const judge = (text: string, isAnswered = true) => {
    const { isRightPage, isFactFound } = judgeAnswer(question, { text, isAnswered })
    return [isRightPage, isFactFound]
  }

  expect(judge('One and 2.\n\n[A](/a#x)')).toEqual([true, true])
  expect(judge('One.\n\n[B](/b)')).toEqual([false, false])
  expect(judge('One and two. [A](/a)', false)).toEqual([false, false])
})
