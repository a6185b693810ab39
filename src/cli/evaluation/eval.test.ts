import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { evaluateRetrieval } from './eval.ts'
import type { Output } from '../output.ts'

const folder = mkdtempSync(join(tmpdir(), 'eval-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function createRecorder() {
  const printed: { value: unknown; text: string }[] = []
  const output: Output = {
    isJson: false,
    result: (value, forPeople) => void printed.push({ value, text: forPeople() }),
    write: () => {},
    progress: () => {},
  }
  return { output, printed }
}

it('gives scripts the measures of the contract, and people their confidence intervals too', async () => {
  const files = {
    'pages.jsonl': [
      { id: 'a', path: 'a', title: 'Install', text: 'Install the tool.' },
      { id: 'b', path: 'b', title: 'Deploy', text: 'Deploy the tool.' },
    ],
    'queries.jsonl': [
      { qid: '1', query: 'installing' },
      { qid: '2', query: 'installing' },
    ],
    'qrels.jsonl': [
      { qid: '1', group: 0, id: 'a' },
      { qid: '2', group: 0, id: 'b' },
    ],
  }
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'))
  }
  const { output, printed } = createRecorder()

  await evaluateRetrieval(output, folder)

  const measures = ['hit@1', 'hit@3', 'hit@5', 'hit@10', 'recall@5', 'recall@10', 'mrr@10', 'ndcg@10']
  expect(Object.keys(printed[0]?.value as object)).toEqual(['queries', ...measures, 'p50Ms', 'p95Ms'])
  expect(printed[0]?.value).toMatchObject({ queries: 2, 'hit@1': 0.5 })
  expect(printed[0]?.text).toMatch(/hit@1 +0\.500 +0\.000 to 1\.000/)
})

it('says which file is missing', async () => {
  const { output } = createRecorder()

  await expect(evaluateRetrieval(output, join(folder, 'none'))).rejects.toThrow(/qrels\.jsonl is missing/)
})
