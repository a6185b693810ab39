import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusterQuestions } from './cluster-questions.ts'

const ask = (...texts: string[]) => texts.map((text, index) => ({ id: `q${index}`, text, askedAt: index }))
const idsOf = (clusters: readonly { questions: readonly { id: string }[] }[]) =>
  clusters.map(({ questions }) => questions.map(({ id }) => id))

const words = ['install', 'printer', 'paper', 'key', 'rate', 'limit', 'webhook', 'the', 'how', '集群', '?']
const questions = fc
  .array(fc.array(fc.constantFrom(...words), { maxLength: 6 }), { maxLength: 40 })
  .map((texts) => texts.map((text, index) => ({ id: `q${index}`, text: text.join(' '), askedAt: index % 7 })))

describe('grouping questions', () => {
  it('joins those that ask for the same in other words, and names what they share', () => {
    const clusters = clusterQuestions(
      ask(
        'How do I connect a receipt printer?',
        'What are the rate limits?',
        'connecting receipt printers',
        'Is there a rate limit?',
        'Where is my invoice?',
      ),
    )

    expect(idsOf(clusters)).toEqual([['q0', 'q2'], ['q1', 'q3'], ['q4']])
    expect(clusters[0]?.terms).toEqual(expect.arrayContaining(['connect', 'receipt', 'printer']))
  })

  it('begins with the seeds, which keep their order and lead whether anybody asks or not', () => {
    const seeds = [
      { id: 's1', text: 'Exporting data', askedAt: 0 },
      { id: 's2', text: 'rate limits', askedAt: 0 },
    ]

    const clusters = clusterQuestions(ask('Which rate limits are there?', 'paper'), seeds)

    expect(clusters.map(({ leader }) => leader.id)).toEqual(['s1', 's2', 'q1'])
    expect(idsOf(clusters)).toEqual([[], ['q0'], ['q1']])
  })

  it('takes questions without a word by their text, and none as no group', () => {
    expect(idsOf(clusterQuestions(ask('??', '???', '??')))).toEqual([['q0', 'q2'], ['q1']])
    expect(clusterQuestions([])).toEqual([])
  })

  it('puts every question into exactly one group, which its leader leads', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const clusters = clusterQuestions(asked)

        expect(clusters.flatMap(({ questions: members }) => members.map(({ id }) => id)).toSorted()).toEqual(
          asked.map(({ id }) => id).toSorted(),
        )
        for (const { leader, questions: members } of clusters) expect(members[0]).toBe(leader)
      }),
    )
  })

  it('says the same whatever the order of the questions', () => {
    fc.assert(
      fc.property(questions, fc.nat(), (asked, turn) => {
        const turned =
          asked.length === 0 ? [] : [...asked.slice(turn % asked.length), ...asked.slice(0, turn % asked.length)]

        expect(clusterQuestions(turned)).toEqual(clusterQuestions(asked))
      }),
    )
  })

  it('puts equal texts together', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const groups = new Map<string, number>()
        for (const [index, { questions: members }] of clusterQuestions(asked).entries()) {
          for (const { text } of members) {
            const words = text.trim().toLowerCase()
            expect(groups.get(words) ?? index).toBe(index)
            groups.set(words, index)
          }
        }
      }),
    )
  })

  it('gives each group to the seed that led it before, so that its name stays', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const leaders = clusterQuestions(asked).map(({ leader }) => leader)

        expect(clusterQuestions(asked, leaders).map(({ leader }) => leader.id)).toEqual(leaders.map(({ id }) => id))
      }),
    )
  })
})
