import { join } from 'node:path'
import { type AnswerQuestion, readAnswerQuestions, readMarkdownPages } from './answer-set.ts'
import { openOfflineAsker } from './ask-offline.ts'
import { judgeAnswer, summarizeAnswers, type JudgedAnswer } from './evaluate-answers.ts'

/**
 * `node bench/answers/run.ts [FOLDER] [--show=all|--show=wrong]`: how well the offline model answers over a folder with
 * `pages/` and `answers.jsonl`; by default the project's own set.
 */
const args = process.argv.slice(2)
const folder = args.find((arg) => !arg.startsWith('--')) ?? join(import.meta.dirname, '../../test/fixtures/answers')
const shown = args.find((arg) => arg.startsWith('--show='))?.slice('--show='.length) ?? 'none'

const asker = await openOfflineAsker(readMarkdownPages(join(folder, 'pages')), 'Brindle')
const judged: JudgedAnswer[] = []
for (const question of readAnswerQuestions(folder)) {
  const answer = judgeAnswer(question, await asker.ask(question.query))
  judged.push(answer)
  if (shown === 'all' || (shown === 'wrong' && !isGood(question, answer))) {
    console.log(`\n=== ${question.qid} ${question.query} ${isGood(question, answer) ? '' : '(wrong)'}\n${answer.text}`)
  }
}
await asker.close()
console.log(JSON.stringify(summarizeAnswers(judged)))

function isGood({ answerable }: AnswerQuestion, { isAnswered, isRightPage, isFactFound }: JudgedAnswer): boolean {
  return answerable ? isRightPage && isFactFound : !isAnswered
}
