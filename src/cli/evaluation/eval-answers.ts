import { type AnswerQuestion, readAnswerSet } from './eval-answer-set.ts'
import { type AnswerAsker, openAnswerAsker } from './eval-asker.ts'
import {
  answerMetrics,
  countAnswers,
  isGood,
  judgeAnswer,
  type JudgedAnswer,
  shareInterval,
  toNumber,
} from './eval-judge-answer.ts'
import { formatTable, type Output } from '../output.ts'

export interface EvaluateAnswersOptions {
  /** Holds `answers.jsonl`, and `site/` where the questions are about a site of their own. */
  folder: string
  /** Slug; without it the only site, or `docs` where there are several. Not with `site/`. */
  site?: string | undefined
  /** Lists every answer that is not good. */
  isVerbose: boolean
}

/** Questions that are asked at the same time: enough to keep a model busy, and few enough for its limits. */
const askedAtOnce = 4

/** `docent eval answers`: asks the assistant judged questions and measures its answers, with whatever model is set. */
export async function evaluateAnswers(
  output: Output,
  { folder, site, isVerbose }: EvaluateAnswersOptions,
): Promise<void> {
  const set = await readAnswerSet(folder)
  const asker = await openAnswerAsker({ siteFolder: set.siteFolder, site, onProgress: output.progress })
  try {
    output.progress(`Asking ${set.questions.length} questions about the site ${asker.site} …`)
    const judged = await askAll(asker, set.questions)
    const counts = countAnswers(judged)
    const shares = Object.fromEntries(answerMetrics.map((measure) => [measure, toNumber(counts[measure])]))
    output.result({ questions: judged.length, ...shares }, () => describe(judged, isVerbose))
  } finally {
    await asker.close()
  }
}

async function askAll(asker: AnswerAsker, questions: readonly AnswerQuestion[]): Promise<JudgedAnswer[]> {
  const judged: JudgedAnswer[] = []
  let next = 0
  const askNext = async (): Promise<void> => {
    while (next < questions.length) {
      const index = next++
      const question = questions[index]
      if (question !== undefined) judged[index] = judgeAnswer(question, await asker.ask(question.query))
    }
  }
  await Promise.all(Array.from({ length: Math.min(askedAtOnce, questions.length) }, askNext))
  return judged
}

function describe(judged: readonly JudgedAnswer[], isVerbose: boolean): string {
  const counts = countAnswers(judged)
  const rows = answerMetrics.map((measure) => {
    const [low, high] = shareInterval(counts[measure])
    const { count, total } = counts[measure]
    return [
      measure,
      formatShare(toNumber(counts[measure])),
      `${formatShare(low)} to ${formatShare(high)}`,
      `${count} of ${total}`,
    ]
  })
  const table = formatTable(['measure', 'share', '95 % interval', 'answers'], rows)
  const bad = judged.filter((answer) => !isGood(answer))
  if (!isVerbose || bad.length === 0) return table
  return `${table}\n\n${bad.map(describeBad).join('\n\n')}`
}

const formatShare = (value: number): string => value.toFixed(3)

function describeBad(answer: JudgedAnswer): string {
  const { question, text } = answer
  return `${question.qid}  ${question.query}\n  ${findFault(answer)}\n${text.trim().replace(/^/gm, '  | ')}`
}

function findFault({ question, isAnswered, isRightPage, sources }: JudgedAnswer): string {
  if (!question.answerable) return 'It is answered, and no page answers it.'
  if (!isAnswered) return `It is not answered; ${question.pages.join(' or ')} would.`
  if (!isRightPage) {
    return `It names ${sources.length === 0 ? 'no page' : sources.join(', ')}; ${question.pages.join(' or ')} would be right.`
  }
  return `A fact is missing; expected: ${question.facts.map((group) => group.join(' or ')).join('; ')}.`
}
