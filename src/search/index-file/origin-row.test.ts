import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeTestPage } from '../../../test/support/search-test-site.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { buildIndexFile } from './build-index-file.ts'
import { IndexFile } from './index-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'origin-row-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const header = { siteName: 'T', siteDescription: '', revision: 'r', defaultVersion: null, defaultLanguage: null }

function readOrigins(markdown: string, source?: { text: string; bodyLine: number }) {
  const page = makeTestPage('/a', 'A', markdown, source === undefined ? {} : { source })
  const chunks = chunkPage(page)
  const file = join(folder, 'index.sqlite')
  buildIndexFile(file, { header, pages: [page], chunkPage })
  const index = new IndexFile(file)
  const found = { page: index.getOrigins(0), chunks: chunks.map((_, chunk) => index.getChunk(chunk).origins) }
  index.close()
  return found
}

it('says for each block of a passage its heading, its lines and the hash of their bytes', () => {
  const text = '---\ntitle: A\n---\n\nIntro of *two*\nlines.\n\n## One\n\nSee [two](./two.md) there.\n\n## Two\r\n\nEnd'
  const markdown = 'Intro of *two*\nlines.\n\n## One\n\nSee [two](/two) there.\n\n## Two {#second}\n\nEnd\n\nMade up.'

  const { page, chunks } = readOrigins(markdown, { text, bodyLine: 3 })

  expect(page).toEqual([
    { anchor: null, lines: [5, 6], sha256: sha256('Intro of *two*\nlines.\n') },
    { anchor: 'one', lines: [8, 8], sha256: sha256('## One\n') },
    { anchor: 'one', lines: [10, 10], sha256: sha256('See [two](./two.md) there.\n') },
    { anchor: 'second', lines: [12, 12], sha256: sha256('## Two\r\n') },
    { anchor: 'second', lines: [14, 14], sha256: sha256('End') },
    { anchor: 'second', lines: null, sha256: null },
  ])
  expect(chunks.flat()).toEqual(page)
})

it('gives each part of a long block the lines of the whole, and passages in between those of their own', () => {
  const list = Array.from({ length: 150 }, (_, item) => `- Item ${item} has a text of its own.`).join('\n')
  const text = `Before.\n\n${list}\n\nAfter.\n`

  const { page, chunks } = readOrigins(text, { text, bodyLine: 0 })

  expect(page.map(({ lines }) => lines)).toEqual([
    [1, 1],
    [3, 152],
    [154, 154],
  ])
  expect(chunks.map((chunk) => chunk.map(({ lines }) => lines))).toEqual([
    [
      [1, 1],
      [3, 152],
    ],
    [[3, 152]],
    [
      [3, 152],
      [154, 154],
    ],
  ])
  expect(new Set(chunks.flat().map((origin) => origin.sha256)).size).toBe(3)
})

it('has headings but no lines for a page without a file, and for one without text', () => {
  const made = readOrigins('## One\n\nText.')
  const empty = readOrigins('', { text: 'A\n', bodyLine: 0 })

  const nowhere = { lines: null, sha256: null }
  expect(made.page).toEqual([
    { anchor: 'one', ...nowhere },
    { anchor: 'one', ...nowhere },
  ])
  expect(empty).toEqual({ page: [], chunks: [[{ anchor: null, ...nowhere }]] })
})
