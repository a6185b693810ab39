import { afterEach, expect, it } from 'vitest'
import { clusterQuestions } from './cluster-questions.ts'
import { ClusterThread } from './cluster-thread.ts'

let clusters: ClusterThread
afterEach(() => clusters.close())

const ask = (...texts: string[]) => texts.map((text, index) => ({ id: `q${index}`, text, askedAt: index, mark: index }))

it('groups like clusterQuestions, and returns the original questions', async () => {
  clusters = new ClusterThread()
  const questions = ask(
    'How do I connect a receipt printer?',
    'What are the rate limits?',
    'connecting receipt printers',
  )
  const seeds = [{ id: 's', text: 'Exporting data', askedAt: 0 }]

  const grouped = await clusters.cluster(questions, seeds)

  expect(grouped).toEqual(clusterQuestions(questions, seeds))
  expect(grouped[1]?.questions[0]).toBe(questions[0])
})

it('compares only the start of a question, and truncates long terms', async () => {
  clusters = new ClusterThread()
  const start = 'webhook '.repeat(125)
  const endless = ask(
    `${start}${'alpha '.repeat(50_000)}`,
    `${start}${'omega '.repeat(50_000)}`,
    'x'.repeat(50_000),
    '漢'.repeat(50_000),
  )

  const grouped = await clusters.cluster(endless)

  expect(grouped.map(({ questions }) => questions.map(({ mark }) => mark))).toEqual([[0, 1], [2], [3]])
  expect(Math.max(...grouped.flatMap(({ terms }) => terms.map(({ length }) => length)))).toBeLessThanOrEqual(60)
})

it('rejects on timeout, and keeps working', async () => {
  clusters = new ClusterThread(1)

  await expect(clusters.cluster(ask('one'))).rejects.toMatchObject({ code: 'overloaded' })
  await expect(clusters.cluster(ask('two'))).rejects.toMatchObject({ code: 'overloaded' })
})
