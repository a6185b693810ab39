import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { rankJudgedQueries } from './rank-judged-queries.ts'
import { measureRetrieval } from './retrieval-metrics.ts'

const folder = mkdtempSync(join(tmpdir(), 'judged-queries-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writeLines = (name: string, lines: object[]) =>
  writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'))
const chunkPage = ({ path, markdown }: { path: string; markdown: string }) => [
  { pagePath: path, ordinal: 0, anchor: null, headings: [], text: markdown },
]

it('measures a folder of pages, queries and judgements', async () => {
  writeLines('pages.jsonl', [
    { id: 'a', path: 'guides/a', title: 'Install', text: 'Install the tool.' },
    { id: 'b', path: 'guides/b', title: 'Deploy', text: 'Deploy the tool.' },
  ])
  writeLines('queries.jsonl', [
    { qid: '1', query: 'installing', level: 'page' },
    { qid: '2', query: 'nothing alike', level: 'page' },
  ])
  writeLines('qrels.jsonl', [
    { qid: '1', group: 0, id: 'a' },
    { qid: '2', group: 0, id: 'b' },
  ])

  const report = measureRetrieval(await rankJudgedQueries(folder, { chunkPage }))

  expect(report).toMatchObject({
    queries: 2,
    'hit@1': 0.5,
    'hit@10': 0.5,
    'recall@5': 0.5,
    'mrr@10': 0.5,
    'ndcg@10': 0.5,
  })
  expect(Object.keys(report)).toEqual([
    'queries',
    'hit@1',
    'hit@3',
    'hit@5',
    'hit@10',
    'recall@5',
    'recall@10',
    'mrr@10',
    'ndcg@10',
    'p50Ms',
    'p95Ms',
  ])
})

it('says which file or line is wrong', async () => {
  writeLines('queries.jsonl', [{ qid: 1 }])

  await expect(rankJudgedQueries(folder, { chunkPage })).rejects.toThrow(/Line 1 of .*queries\.jsonl/)
  await expect(rankJudgedQueries(join(folder, 'none'), { chunkPage })).rejects.toThrow(/qrels\.jsonl is missing/)
})

it('counts one found of an interchangeable group once, and discounts by rank', () => {
  const groups = [new Set(['a', 'b']), new Set(['c'])]

  const report = measureRetrieval([{ ranked: ['b', 'a', 'x', 'c'], groups, durationMs: 3 }])

  expect(report).toMatchObject({ 'hit@1': 1, 'recall@5': 1, 'mrr@10': 1, p50Ms: 3, p95Ms: 3 })
  expect(report['ndcg@10']).toBeCloseTo((1 + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)), 10)
})
