import { type AnswerVerdict, answerVerdicts } from '../../contract/verdicts.ts'
import { formatTable } from '../output.ts'
import { type ScoredAnswer, type Truth, truths } from './score-answer.ts'

/** Numbers of answers by verdict and truth; only verdicts that occur. */
export type VerdictTable = Partial<Record<AnswerVerdict, Record<Truth, number>>>

export function tabulateVerdicts(scored: readonly ScoredAnswer[]): VerdictTable {
  const table: VerdictTable = {}
  for (const { verdict, truth } of scored) {
    if (verdict === null) continue
    const row = (table[verdict] ??= { right: 0, partly: 0, wrong: 0 })
    row[truth]++
  }
  return table
}

export function formatVerdicts(table: VerdictTable): string {
  const rows = answerVerdicts.flatMap((verdict) => {
    const row = table[verdict]
    return row === undefined ? [] : [[verdict, ...truths.map((truth) => String(row[truth]))]]
  })
  return formatTable(['verdict', ...truths], rows)
}
