import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { SitePage } from '../../src/content/site-page.ts'

const questionSchema = z.object({
  qid: z.string(),
  query: z.string(),
  /** Paths of pages that answer it; one of them is enough. */
  pages: z.array(z.string()),
  /** Every group is one fact; of a group one wording must stand in the answer. */
  facts: z.array(z.array(z.string())),
  answerable: z.boolean(),
})

export type AnswerQuestion = z.output<typeof questionSchema>

/** Reads `answers.jsonl` of a folder. */
export function readAnswerQuestions(folder: string): AnswerQuestion[] {
  const lines = readFileSync(join(folder, 'answers.jsonl'), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => questionSchema.parse(JSON.parse(line)))
}

/** Reads plain Markdown pages, each with its title as the first heading, in order of their names. */
export function readMarkdownPages(folder: string): SitePage[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return files.sort().map((file, order) => toPage(relative('.', file), order, readFileSync(join(folder, file), 'utf8')))
}

function toPage(file: string, order: number, text: string): SitePage {
  const path = `/${file.replace(/\.md$/, '')}`
  const [, title = path, markdown = text] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? []
  return {
    path,
    file,
    title,
    description: '',
    markdown,
    section: [],
    order,
    version: null,
    language: null,
    tag: null,
    keywords: [],
    groups: [],
    isPublic: true,
    isSearchable: true,
    isListed: true,
    boost: 1,
  }
}
