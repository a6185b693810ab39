import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const questionSchema = z.object({
  qid: z.string().min(1),
  query: z.string().min(1),
  /** Paths of pages that answer it; one of them is enough. */
  pages: z.array(z.string()),
  /** Every group is one fact; of a group one spelling must stand in the answer. */
  facts: z.array(z.array(z.string().min(1)).min(1)),
  answerable: z.boolean(),
})

export type AnswerQuestion = z.output<typeof questionSchema>

export interface AnswerSet {
  /** At least one. */
  questions: AnswerQuestion[]
  /** Absolute path of the documentation that stands beside the questions; null where there is none. */
  siteFolder: string | null
}

const fileName = 'answers.jsonl'

/** Reads `answers.jsonl` of a folder. @throws {Error} a sentence, when it is missing or a line cannot be used. */
export async function readAnswerSet(folder: string): Promise<AnswerSet> {
  const file = join(folder, fileName)
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} is missing. Write one question a line into it, as JSON.`)
  })
  const questions = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]))
  if (questions.length === 0) throw new Error(`${file} holds no question. Write one a line into it, as JSON.`)
  const siteFolder = resolve(folder, 'site')
  return { questions, siteFolder: (await isFolder(siteFolder)) ? siteFolder : null }
}

function readLine(line: string, number: number): AnswerQuestion {
  const parsed = questionSchema.safeParse(readJson(line, number))
  if (parsed.success) return parsed.data
  throw new Error(`Line ${number} of ${fileName} cannot be used: ${z.prettifyError(parsed.error)}`)
}

function readJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`Line ${number} of ${fileName} is not JSON. Write each question as one object on a line.`)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
