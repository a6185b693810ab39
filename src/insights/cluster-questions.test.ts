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
  it('groups paraphrases, and lists their shared terms', () => {
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

  it('groups typing errors, split words and questions in another language with what they mean', () => {
    const clusters = clusterQuestions(
      ask(
        'How do I restore a backup?',
        'How do I rollback?',
        'Sicherung wiederherstellen',
        'resotre the backup',
        'restore an old backup',
        'roll back now',
        'Can I cancel a subscription?',
        'cancel my subscription',
      ),
    )

    expect(idsOf(clusters)).toEqual([
      ['q0', 'q2', 'q3', 'q4'],
      ['q1', 'q5'],
      ['q6', 'q7'],
    ])
  })

  it('groups questions without a common word by the section that answers them', () => {
    const sections = ['https://docs.example/billing#end-a-plan']
    const pages = ['billing']
    const [one, other, third] = ask('stop paying', 'terminate everything', 'resize a window')
    const asked = [one, other].flatMap((question) => (question === undefined ? [] : { ...question, sections, pages }))

    expect(idsOf(clusterQuestions([...asked, ...(third === undefined ? [] : [third])]))).toEqual([['q0', 'q1'], ['q2']])
  })

  it('names a group by the question that is most like the others', () => {
    const [cluster] = clusterQuestions(
      ask('webhook secret rotation in staging clusters', 'rotate the webhook secret', 'webhook secret rotation'),
    )

    expect(cluster).toMatchObject({ leader: { id: 'q0' }, central: { id: 'q2' } })
  })

  it('starts with the seeds in order, even if no question matches', () => {
    const seeds = [
      { id: 's1', text: 'Exporting data', askedAt: 0 },
      { id: 's2', text: 'rate limits', askedAt: 0 },
    ]

    const clusters = clusterQuestions(ask('Which rate limits are there?', 'paper'), seeds)

    expect(clusters.map(({ leader }) => leader.id)).toEqual(['s1', 's2', 'q1'])
    expect(idsOf(clusters)).toEqual([[], ['q0'], ['q1']])
  })

  it('compares questions without words by their text, and makes no groups of none', () => {
    expect(idsOf(clusterQuestions(ask('??', '???', '??')))).toEqual([['q0', 'q2'], ['q1']])
    expect(clusterQuestions([])).toEqual([])
  })

  it('puts every question into exactly one group, each with its own leader', () => {
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

  it('does not depend on the order of the questions', () => {
    fc.assert(
      fc.property(questions, fc.nat(), (asked, turn) => {
        const turned =
          asked.length === 0 ? [] : [...asked.slice(turn % asked.length), ...asked.slice(0, turn % asked.length)]

        expect(clusterQuestions(turned)).toEqual(clusterQuestions(asked))
      }),
    )
  })

  it('groups equal texts', () => {
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

  it('keeps each group under its previous leader', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const leaders = clusterQuestions(asked).map(({ leader }) => leader)

        expect(clusterQuestions(asked, leaders).map(({ leader }) => leader.id)).toEqual(leaders.map(({ id }) => id))
      }),
    )
  })
})
