import { z } from 'zod'
import { countOf } from './count-of.ts'
import { answerVerdicts } from './verdicts.ts'

/** What a change does to the answer to a question, worst first. */
export const answerOutcomes = ['worse', 'better', 'changed', 'same'] as const
export type AnswerOutcome = (typeof answerOutcomes)[number]

const placeSchema = z.object({ path: z.string(), title: z.string() })

const answerSideSchema = z.object({
  verdict: z.enum(answerVerdicts),
  /** Markdown. */
  text: z.string(),
  /** The pages that it quotes. */
  citations: z.array(placeSchema.extend({ version: z.string().nullable() })),
})

export const comparedAnswerSchema = z.object({
  question: z.string(),
  origin: z
    .enum(['suite', 'reader'])
    .meta({ description: '`suite`: of `docent.tests.yaml`. `reader`: asked by a reader, so its text is not public.' }),
  outcome: z.enum(answerOutcomes),
  /** A sentence that says why. */
  reason: z.string(),
  before: answerSideSchema,
  after: answerSideSchema,
  /** What the suite expects and the answer lacks now. */
  failures: z.array(z.string()),
})

export const factChangeSchema = z.object({
  /** `altered`: said in other words. */
  kind: z.enum(['removed', 'contradicted', 'moved', 'altered']),
  from: placeSchema,
  /** As on the page before the change. */
  text: z.string(),
  /** Where it is now, or what replaced it; null if nothing did. */
  to: placeSchema.extend({ text: z.string() }).nullable(),
})

const linkChangeSchema = z.object({ path: z.string(), file: z.string(), url: z.string() })

/** How many questions there are of each origin, by outcome. */
const answerCountsSchema = z.record(z.enum(['suite', 'reader']), z.record(z.enum(answerOutcomes), z.int()))

const modelComparisonSchema = z.object({
  model: z.string().meta({ description: '`provider/model`' }),
  counts: answerCountsSchema,
  /** All that are not the same, worst first. */
  answers: z.array(comparedAnswerSchema),
  unasked: z
    .object({ count: z.int(), reason: z.enum(['fork', 'budget', 'failed', 'many']) })
    .nullable()
    .meta({ description: 'Questions that it was not asked, and why; null if it was asked all.' }),
})

export const siteComparisonSchema = z.object({
  counts: answerCountsSchema,
  /** All that are not the same, worst first. */
  answers: z.array(comparedAnswerSchema),
  facts: z.array(factChangeSchema),
  /** Facts of each kind, including those beyond the list. */
  factCounts: z.record(factChangeSchema.shape.kind, z.int()),
  /** Links that worked before, or are new, and lead to nothing. */
  brokenLinks: z.array(linkChangeSchema),
  /** Sections that could be linked to and are gone. */
  lostAnchors: z.array(z.object({ path: z.string(), anchor: z.string() })),
  /** Addresses of pages that lead to nothing now. */
  lostPages: z.array(placeSchema),
  /** Pages that neither the navigation nor another page leads to any more. */
  unreachablePages: z.array(placeSchema),
  byModel: modelComparisonSchema.nullable().meta({
    description:
      "The questions that the change affects, also asked with the site's model; null if the owner has not turned that on.",
  }),
})

/** What a pull request changes for the readers of one site. */
export const readersChangeSchema = z
  .object({
    /** Slug. */
    site: z.string(),
    state: z.enum(['waiting', 'done', 'failed']),
    failure: z.string().nullable().meta({ description: 'Why it could not be compared.' }),
    isCurrent: z.boolean().meta({ description: 'Whether the newest commit was compared.' }),
    comparison: siteComparisonSchema.nullable(),
  })
  .meta({ id: 'ReadersChange' })

export type ReadersChange = z.output<typeof readersChangeSchema>
export type ComparedAnswer = z.output<typeof comparedAnswerSchema>
export type AnswerSide = z.output<typeof answerSideSchema>
export type FactChange = z.output<typeof factChangeSchema>
export type SiteComparison = z.output<typeof siteComparisonSchema>
export type ModelComparison = z.output<typeof modelComparisonSchema>
export type AnswerCounts = z.output<typeof answerCountsSchema>

/** Begins the names of checks that say what a pull request changes for the readers of a site. */
export const readersCheckStart = 'Answers to readers of '

/** How many of all questions have this outcome. */
export function countAnswers(
  { counts: { suite, reader } }: Pick<SiteComparison, 'counts'>,
  outcome: AnswerOutcome,
): number {
  return suite[outcome] + reader[outcome]
}

/** A sentence about the questions that the model was not asked; null if it was asked all. */
export function describeUnasked({ unasked }: Pick<ModelComparison, 'unasked'>): string | null {
  if (unasked === null) return null
  const { count, reason } = unasked
  if (reason === 'fork') return 'It was not asked, because the pull request may come from a fork.'
  const why = {
    budget: 'what the day leaves for pull requests is spent',
    failed: 'it failed',
    many: 'there are too many',
  }[reason]
  return `It was not asked ${countOf(count, 'question')}, because ${why}.`
}
