import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isFolder } from '../../base/path-exists.ts'

const questionSchema = z.object({
  qid: z.string().min(1),
  query: z.string().min(1),
  /** Paths of pages that answer it; one suffices. */
  pages: z.array(z.string()),
  /** Each group is one fact; the answer must contain one spelling of each group. */
  facts: z.array(z.array(z.string().min(1)).min(1)),
  answerable: z.boolean(),
  /** The page that the reader is on. */
  currentPath: z.string().optional(),
})

export type AnswerQuestion = z.output<typeof questionSchema>

export interface AnswerSet {
  /** At least one. */
  questions: AnswerQuestion[]
  /** Absolute path of the documentation beside the questions, or null. */
  siteFolder: string | null
}

const fileName = 'answers.jsonl'

/** Reads `answers.jsonl` from a folder. @throws {Error} a sentence, if it is missing or a line is invalid. */
export async function readAnswerSet(folder: string): Promise<AnswerSet> {
  const file = join(folder, fileName)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} is missing. Create it with one question per line, as JSON.`)
  })
  const questions = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]))
  if (questions.length === 0) throw new Error(`${file} contains no questions. Add one per line, as JSON.`)
  const siteFolder = resolve(folder, 'site')
  return { questions, siteFolder: (await isFolder(siteFolder)) ? siteFolder : null }
}

function readLine(line: string, number: number): AnswerQuestion {
  const parsed = questionSchema.safeParse(readJson(line, number))
  if (parsed.success) return parsed.data
  throw new Error(`Line ${number} of ${fileName} is invalid: ${z.prettifyError(parsed.error)}`)
}

function readJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`Line ${number} of ${fileName} is not JSON. Write each question as one object per line.`)
  }
}
