import { stopwords } from '@orama/stopwords/english'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listDocuments, resultsMax, type Engine } from '../engine.ts'

const stopWords = new Set(stopwords)

/** `porter unicode61` with weighted columns; words are quoted and optional, stop words are left out of the query. */
export const fts5Engine: Engine = {
  name: 'SQLite FTS5',
  build(corpus) {
    const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'fts5.sqlite')
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA synchronous = OFF; BEGIN;
      CREATE VIRTUAL TABLE chunk USING fts5(title, headings, body, path, content='', tokenize='porter unicode61')`)
    const insert = database.prepare('INSERT INTO chunk (rowid, title, headings, body, path) VALUES (?, ?, ?, ?, ?)')
    for (const { id, title, headings, text, path } of listDocuments(corpus)) insert.run(id, title, headings, text, path)
    database.exec(`COMMIT; INSERT INTO chunk (chunk) VALUES ('optimize')`)
    const select = database.prepare(
      'SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk, 6, 3, 1, 1) LIMIT ?',
    )
    return {
      search: (query) => select.all(writeMatch(query), resultsMax).map(({ rowid }) => Number(rowid)),
      fileBytes: statSync(file).size,
    }
  },
}

function writeMatch(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !stopWords.has(word))
  const kept = telling.length > 0 ? telling : words
  return kept.map((word) => `"${word}"`).join(' OR ') || '""'
}
