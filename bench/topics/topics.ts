import { clusterQuestions } from '../../src/insights/cluster-questions.ts'
import { askLabelledQuestions, type LabelledQuestion, readLabelledQuestions } from './asked-topics.ts'

interface Pairs {
  joined: number
  alike: number
  both: number
}

const largeCount = 10_000

/** How well questions are grouped by topic, as pairs: on labelled questions with and without the pages found for them. */
export async function benchTopics(): Promise<void> {
  const questions = readLabelledQuestions()
  score('words only', questions)
  await askLabelledQuestions(questions)
  score('with the pages found', questions)
  const many = Array.from({ length: largeCount }, (_, index) => {
    const [one, other] = [questions[index % questions.length], questions[(index * 7) % questions.length]]
    return { id: `m${index}`, text: `${one?.text} ${other?.text} ${index}`, askedAt: index }
  })
  const start = performance.now()
  const { length } = clusterQuestions(many)
  console.log(
    `topics: ${largeCount} different questions in ${Math.round(performance.now() - start)} ms, ${length} groups`,
  )
}

function score(name: string, questions: readonly LabelledQuestion[]): void {
  for (const isHeldOut of [false, true]) {
    const bySite = Map.groupBy(
      questions.filter((question) => question.isHeldOut === isHeldOut),
      ({ site }) => site,
    )
    const pairs = [...bySite.values()].map(countPairs)
    const sum = (key: keyof Pairs) => pairs.reduce((total, each) => total + each[key], 0)
    const [precision, recall] = [sum('both') / sum('joined'), sum('both') / sum('alike')]
    const f1 = (2 * precision * recall) / (precision + recall)
    const figures = Object.entries({ precision, recall, f1 }).map(([key, value]) => `${key} ${value.toFixed(3)}`)
    console.log(`topics, ${name}, ${isHeldOut ? 'held out' : 'tuning'}: ${figures.join(', ')}`)
  }
}

function countPairs(questions: readonly LabelledQuestion[]): Pairs {
  const groups = new Map(
    clusterQuestions(questions).flatMap(({ leader, questions: members }) => members.map(({ id }) => [id, leader.id])),
  )
  const pairs: Pairs = { joined: 0, alike: 0, both: 0 }
  for (const [index, one] of questions.entries()) {
    for (const other of questions.slice(0, index)) {
      const isJoined = groups.get(one.id) === groups.get(other.id)
      const isAlike = one.topic === other.topic
      pairs.joined += Number(isJoined)
      pairs.alike += Number(isAlike)
      pairs.both += Number(isJoined && isAlike)
    }
  }
  return pairs
}
