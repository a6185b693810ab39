import { z } from 'zod'
import { suiteBounds, type SuiteTest, testedPageSchema } from '../../contract/suite.ts'

const { words: wordsMax, entriesMax, question: questionMax, answer: answerMax, testsMax } = suiteBounds

const words = (charsMax: number) => z.string().trim().min(1, { error: 'is empty' }).max(charsMax)
const oneOrMany = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1).max(entriesMax)])

/** A test as it is written in the file. YAML is read without types, so that `1.10` stays as written. */
const writtenTestSchema = z
  .strictObject({
    question: words(questionMax).meta({ description: 'Asked as a reader who is not signed in.' }),
    version: words(wordsMax)
      .optional()
      .meta({ description: 'Version of the documentation that is asked about. The answer may cite no other.' }),
    page: oneOrMany(testedPageSchema)
      .optional()
      .meta({ description: 'Path of the page that the answer must cite, or several of which one suffices.' }),
    facts: oneOrMany(oneOrMany(words(wordsMax)))
      .optional()
      .meta({ description: 'What the answer must contain. A list within the list holds spellings of one fact.' }),
    without: oneOrMany(words(wordsMax)).optional().meta({ description: 'Wording that the answer must not contain.' }),
    refusal: z
      .literal('true', { error: 'must be true or left out' })
      .optional()
      .meta({ description: 'The documentation does not answer it, and the assistant must say so.' }),
    answer: words(answerMax).optional().meta({
      description:
        "The right answer. Until an answer from the pages contains all `facts`, readers get this one, as the owner's.",
    }),
  })
  .superRefine(({ refusal, page, facts, answer }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (refusal !== undefined && (page ?? facts ?? answer) !== undefined) {
      refuse('expects a refusal, so it cannot expect a page, facts or an answer')
    }
    if (answer !== undefined && facts === undefined)
      refuse('has an answer, so it needs the facts that pages must state')
  })
  .meta({ description: 'Without expectations, any answer from the pages passes.' })

/** The whole file. */
export const writtenSuiteSchema = z
  .strictObject({ tests: z.array(writtenTestSchema, { error: 'must be a list' }).max(testsMax) })
  .meta({ title: 'Tests of a documentation site, read by Docent' })

type WrittenTest = z.output<typeof writtenTestSchema>

export function fromWritten({ question, version, page, facts, without, refusal, answer }: WrittenTest): SuiteTest {
  return {
    question,
    version: version ?? null,
    pages: listOf(page),
    facts: listOf(facts).map(listOf),
    without: listOf(without),
    isRefusal: refusal !== undefined,
    answer: answer ?? null,
  }
}

/** A test as in the file: plain values, without empty fields. */
export function toWritten(test: SuiteTest): Record<string, unknown> {
  const { question, version, pages, facts, without, isRefusal, answer } = test
  return {
    question,
    ...(version !== null && { version }),
    ...(pages.length > 0 && { page: shorten(pages) }),
    ...(facts.length > 0 && { facts: facts.map(shorten) }),
    ...(without.length > 0 && { without: [...without] }),
    ...(isRefusal && { refusal: 'true' }),
    ...(answer !== null && { answer }),
  }
}

/** The JSON schema of the file, for editors. */
export function buildSuiteJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(writtenSuiteSchema, { io: 'input', override: ({ jsonSchema }) => allowScalars(jsonSchema) })
}

/** Editors read YAML with types; a fact may be a number. */
function allowScalars(schema: Record<string, unknown>): void {
  if (schema['const'] === 'true') Object.assign(schema, { type: 'boolean', const: true })
  else if (schema['type'] === 'string' && schema['pattern'] === undefined)
    schema['type'] = ['string', 'number', 'boolean']
}

function listOf<Item>(value: Item | Item[] | undefined): Item[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function shorten(values: readonly string[]): string | readonly string[] {
  return values.length === 1 && values[0] !== undefined ? values[0] : values
}
