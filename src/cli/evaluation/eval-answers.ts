import { type AnswerQuestion, readAnswerSet } from './eval-answer-set.ts'
import { type AnswerAsker, openAnswerAsker } from './eval-asker.ts'
import {
  answerMetrics,
  countAnswers,
  formatRatio,
  isCorrect,
  pathsOf,
  scoreAnswer,
  type ScoredAnswer,
  shareInterval,
  toRatio,
} from './score-answer.ts'
import { formatVerdicts, tabulateVerdicts } from './eval-verdict-table.ts'
import { formatTable, type Output } from '../output.ts'
import { mapConcurrently } from '../../base/map-concurrently.ts'
import { countOf } from '../../contract/count-of.ts'

export interface EvaluateAnswersOptions {
  /** Contains `answers.jsonl`, and `site/` if the questions are about a site of their own. */
  folder: string
  /** Slug. Default: the only site, or `docs` if there are several. Not allowed with `site/`. */
  site?: string | undefined
  /** Lists every wrong answer. */
  isVerbose: boolean
}

/** Concurrent questions: enough to keep a model busy, few enough for its rate limits. */
const askedAtOnce = 4

/** `docent eval answers`: asks the assistant labelled questions and scores its answers, with any configured model. */
export async function evaluateAnswers(
  output: Output,
  { folder, site, isVerbose }: EvaluateAnswersOptions,
): Promise<void> {
  const set = await readAnswerSet(folder)
  const asker = await openAnswerAsker({ siteFolder: set.siteFolder, site, onProgress: output.progress })
  try {
    output.progress(`Asking ${countOf(set.questions.length, 'question')} about the site ${asker.site} …`)
    const scored = await askAll(asker, set.questions)
    const counts = countAnswers(scored)
    const shares = Object.fromEntries(answerMetrics.map((measure) => [measure, toRatio(counts[measure])]))
    const verdicts = tabulateVerdicts(scored)
    output.result({ questions: scored.length, ...shares, verdicts }, () => describe(scored, isVerbose))
  } finally {
    await asker.close()
  }
}

async function askAll(asker: AnswerAsker, questions: readonly AnswerQuestion[]): Promise<ScoredAnswer[]> {
  return mapConcurrently(questions, askedAtOnce, async (question) =>
    scoreAnswer(question, await asker.ask({ question: question.query, currentPath: question.currentPath })),
  )
}

function describe(scored: readonly ScoredAnswer[], isVerbose: boolean): string {
  const counts = countAnswers(scored)
  const rows = answerMetrics.map((measure) => {
    const [low, high] = shareInterval(counts[measure])
    const { count, total } = counts[measure]
    return [
      measure,
      formatRatio(toRatio(counts[measure])),
      `${formatRatio(low)} to ${formatRatio(high)}`,
      `${count} of ${total}`,
    ]
  })
  const measures = formatTable(['measure', 'share', '95 % interval', 'answers'], rows)
  const table = `${measures}\n\n${formatVerdicts(tabulateVerdicts(scored))}`
  const bad = scored.filter((answer) => !isCorrect(answer))
  if (!isVerbose || bad.length === 0) return table
  return `${table}\n\n${bad.map(describeBad).join('\n\n')}`
}

function describeBad(answer: ScoredAnswer): string {
  const { question, text } = answer
  return `${question.qid}  ${question.query}\n  ${findFault(answer)}\n${text.trim().replace(/^/gm, '  | ')}`
}

function findFault(answer: ScoredAnswer): string {
  const { question, isAnswered, isRightPage } = answer
  if (!question.answerable) return 'Answered, although no page answers it.'
  if (!isAnswered) return `Not answered, although ${question.pages.join(' or ')} answers it.`
  if (!isRightPage) {
    return `Cited ${pathsOf(answer).join(', ') || 'no page'}; expected ${question.pages.join(' or ')}.`
  }
  return `A fact is missing; expected: ${question.facts.map((group) => group.join(' or ')).join('; ')}.`
}
