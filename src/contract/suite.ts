import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** Bounds of a suite and its tests, in characters unless the name says otherwise. */
export const suiteBounds = {
  fileBytesMax: 512 * 1024,
  testsMax: 2_000,
  entriesMax: 50,
  question: 2_000,
  words: 500,
  answer: 8_000,
} as const

const words = (charsMax: number) => z.string().trim().min(1).max(charsMax)
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(suiteBounds.entriesMax)

/** An address within a site, without query and anchor. */
export const testedPageSchema = z
  .string()
  .trim()
  .max(suiteBounds.words)
  .regex(/^\/[^\s?#]*$/, { error: 'must be the path of a page, such as /guides/install, without an anchor' })

/** A question that the documentation must answer, and what the answer must be like. */
export const suiteTestSchema = z
  .object({
    question: words(suiteBounds.question),
    version: words(suiteBounds.words)
      .nullable()
      .meta({ description: 'Version of the documentation that it is asked about; the answer may cite no other.' }),
    pages: listOf(testedPageSchema).meta({ description: 'The answer must cite one of these pages.' }),
    facts: listOf(listOf(words(suiteBounds.words)).min(1)).meta({
      description: 'The answer must contain one spelling of each fact.',
    }),
    without: listOf(words(suiteBounds.words)).meta({ description: 'The answer must contain none of these.' }),
    isRefusal: z
      .boolean()
      .meta({ description: 'The documentation does not answer it, and the assistant must say so.' }),
    answer: words(suiteBounds.answer).nullable().meta({
      description: 'The right answer by the owner, given to readers until an answer from the pages passes the test.',
    }),
  })
  .meta({ id: 'SuiteTest' })

export type SuiteTest = z.output<typeof suiteTestSchema>

/** Tests of one suite differ by this. */
export function suiteTestKey({ question, version }: Pick<SuiteTest, 'question' | 'version'>): string {
  return JSON.stringify([question, version])
}

const suiteExpectations = ['answered', 'refused', 'page', 'version', 'fact', 'without'] as const

/** What an answer lacks, as a sentence for its owner. */
export const suiteFailureSchema = z.object({ expectation: z.enum(suiteExpectations), message: z.string() })

export type SuiteFailure = z.output<typeof suiteFailureSchema>

const testKeySchema = suiteTestSchema.pick({ question: true, version: true })

/** What happened to a test with one index of the site. */
export const suiteResultSchema = testKeySchema.extend({
  failures: z.array(suiteFailureSchema).meta({ description: 'Empty if it passed.' }),
  verdict: z.string().nullable().meta({ description: 'Null if the answer failed.' }),
})

export type SuiteResult = z.output<typeof suiteResultSchema>

const suiteRunSchema = z.object({
  revision: z.string().meta({ description: 'Commit of the repository, or digest of the files.' }),
  passed: z.int(),
  total: z.int(),
  startedAt: timestamp(),
})

export const suiteSchema = z
  .object({
    tests: z.array(suiteTestSchema).meta({ description: 'Of the index that is served now, in the order of the file.' }),
    results: z.array(suiteResultSchema).meta({ description: 'Of the newest run; tests of later files have none.' }),
    runs: z.array(suiteRunSchema).meta({ description: 'The newest 60 runs, newest first.' }),
  })
  .meta({ id: 'Suite' })

export type SuiteResource = z.output<typeof suiteSchema>

export const suiteChangeSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('add'), test: suiteTestSchema }),
    z.strictObject({ kind: z.literal('replace'), of: testKeySchema, test: suiteTestSchema }),
    z.strictObject({ kind: z.literal('remove'), of: testKeySchema }),
  ])
  .refine((change) => change.kind === 'remove' || isWritable(change.test), {
    error: 'A refusal expects no page, facts or answer, and an answer needs the facts that pages must state.',
  })
  .meta({ id: 'SuiteChange' })

export type SuiteChange = z.output<typeof suiteChangeSchema>

/** Whether a suite may contain the test. */
function isWritable({ isRefusal, pages, facts, answer }: SuiteTest): boolean {
  if (isRefusal) return pages.length === 0 && facts.length === 0 && answer === null
  return answer === null || facts.length > 0
}

export const suiteChangedSchema = z
  .object({ pullRequest: z.object({ url: z.string(), number: z.int() }) })
  .meta({ id: 'SuiteChanged' })
