/** Measures retrieval quality on judged corpora: `node bench/retrieval/evaluate-folders.ts FOLDER...`, one JSON line each. */
import { chunkPage } from '../../src/content/chunk-page.ts'
import { evaluateRetrieval } from '../../src/search/evaluate-retrieval.ts'

const folders = process.argv.slice(2)
if (folders.length === 0) {
  console.error('Name one or more folders with queries.jsonl, qrels.jsonl and pages.jsonl or chunks.jsonl.')
  process.exitCode = 2
}
for (const folder of folders) {
  const report = await evaluateRetrieval(folder, { chunkPage })
  console.log(JSON.stringify({ folder, ...report }))
}
