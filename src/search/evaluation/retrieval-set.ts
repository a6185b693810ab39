import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'

/** A corpus with judged queries. */
export interface RetrievalSet {
  pages: SitePage[]
  chunks: Chunk[]
  queries: JudgedQuery[]
  /** Ids used by the judgements: in a chunk's `anchor` or a page's `path`. */
  idsByPath: ReadonlyMap<string, string>
}

export interface JudgedQuery {
  id: string
  text: string
  level: 'chunk' | 'page'
  groups: ReadonlySet<string>[]
}

const chunkSchema = z.object({
  id: z.string(),
  page: z.string(),
  path: z.string(),
  title: z.string().default(''),
  headings: z.array(z.string()).default([]),
  text: z.string(),
})
const pageSchema = z.object({ id: z.string(), path: z.string(), title: z.string().default(''), text: z.string() })
const querySchema = z.object({ qid: z.string(), query: z.string(), level: z.enum(['chunk', 'page']).default('page') })
const judgementSchema = z.object({ qid: z.string(), group: z.number(), id: z.string() })

/**
 * Reads a folder with `chunks.jsonl` or `pages.jsonl`, `queries.jsonl` and `qrels.jsonl`. Chunk ids become anchors, so
 * that a passage identifies its chunk.
 *
 * @throws {Error} a sentence, if a file is missing or a line is malformed.
 */
export function readRetrievalSet(folder: string, chunkPage: (page: SitePage) => Chunk[]): RetrievalSet {
  const judgements = readLines(folder, 'qrels.jsonl', judgementSchema)
  const queries = readLines(folder, 'queries.jsonl', querySchema).map(({ qid, query, level }) => ({
    id: qid,
    text: query,
    level,
    groups: groupJudgements(judgements.filter((judgement) => judgement.qid === qid)),
  }))
  const corpus = existsSync(join(folder, 'chunks.jsonl'))
    ? readChunkedCorpus(folder)
    : readPagedCorpus(folder, chunkPage)
  return { ...corpus, queries }
}

function readChunkedCorpus(folder: string): Omit<RetrievalSet, 'queries'> {
  const lines = readLines(folder, 'chunks.jsonl', chunkSchema)
  const byPage = Map.groupBy(lines, (line) => line.page)
  const pages: SitePage[] = []
  const chunks: Chunk[] = []
  for (const ofPage of byPage.values()) {
    const [first] = ofPage
    if (!first) continue
    const path = makePath(first.path)
    pages.push(makePage(pages.length, path, first.title, ofPage.map((line) => line.text).join('\n\n')))
    ofPage.forEach((line, ordinal) =>
      chunks.push({ pagePath: path, ordinal, anchor: line.id, headings: line.headings, text: line.text }),
    )
  }
  return { pages, chunks, idsByPath: new Map([...byPage].map(([id, [first]]) => [makePath(first?.path ?? ''), id])) }
}

function readPagedCorpus(folder: string, chunkPage: (page: SitePage) => Chunk[]): Omit<RetrievalSet, 'queries'> {
  const lines = readLines(folder, 'pages.jsonl', pageSchema)
  const pages = lines.map((line, order) => makePage(order, makePath(line.path), line.title, line.text))
  const idsByPath = new Map(lines.map((line) => [makePath(line.path), line.id]))
  return { pages, chunks: pages.flatMap(chunkPage), idsByPath }
}

function groupJudgements(judgements: readonly z.infer<typeof judgementSchema>[]): ReadonlySet<string>[] {
  const groups = Map.groupBy(judgements, ({ group }) => group)
  return Array.from(groups.values(), (group) => new Set(group.map(({ id }) => id)))
}

const makePath = (path: string) => `/${path.replace(/^\/+|\/+$/g, '')}`

function makePage(order: number, path: string, title: string, markdown: string): SitePage {
  const neutral = { description: '', section: [], version: null, language: null, tag: null, keywords: [], groups: [] }
  const shown = { isPublic: true, isSearchable: true, isListed: true, boost: 1 }
  return { path, file: path, title, markdown, order, ...neutral, ...shown }
}

function readLines<Line>(folder: string, name: string, schema: z.ZodType<Line>): Line[] {
  const file = join(folder, name)
  if (!existsSync(file)) {
    throw new Error(
      `${file} is missing. A retrieval set needs chunks.jsonl or pages.jsonl, queries.jsonl and qrels.jsonl.`,
    )
  }
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const parsed = schema.safeParse(parseJson(line))
    if (parsed.success) return parsed.data
    throw new Error(`Line ${index + 1} of ${file} is malformed: ${z.prettifyError(parsed.error)}`)
  })
}

/** Undefined for a line that is not JSON, which the schema then rejects with its number. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
