import { z } from 'zod'
import { listQuerySchema } from './admin.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

/** What makes a page doubtful: the product changed, another page disagrees, or a sample cannot work. */
export const discrepancyKinds = ['drift', 'contradiction', 'sample'] as const
export type DiscrepancyKind = (typeof discrepancyKinds)[number]

export const discrepancyStates = ['open', 'ignored', 'closed'] as const
export type DiscrepancyState = (typeof discrepancyStates)[number]

const placeSchema = z.object({
  file: z.string().meta({ description: "Path in the site's source." }),
  line: z.number().int().min(1),
  text: z.string().meta({ description: 'The line, shortened.' }),
  path: z.string().optional().meta({ description: 'Path of the page on the site, if known.' }),
  url: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Web address of the page, else of the line; null if unknown.' }),
})
/** A line of the documentation that a discrepancy is about. */
export type DiscrepancyPlace = z.output<typeof placeSchema>

const factSchema = z.object({
  label: z.string().meta({ description: 'What this says of the subject, such as `Removed` or `Default`.' }),
  value: z.string().nullable(),
  repository: z
    .string()
    .nullable()
    .meta({ description: "Name of the context repository; null for the site's source." }),
  commit: z.string().nullable(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  url: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Web address of the line at the commit; null if unknown.' }),
})
/** Evidence for a discrepancy: what held where, and at which commit. */
export type DiscrepancyFact = z.output<typeof factSchema>

const detailsSchema = z.object({
  title: z.string().meta({ description: 'What is wrong, as a sentence.' }),
  places: z.array(placeSchema),
  facts: z.array(factSchema).meta({ description: 'Evidence, the older state first.' }),
  advice: z.string().meta({ description: 'How to resolve the discrepancy.' }),
  replacement: z
    .object({ from: z.string(), to: z.string() })
    .nullable()
    .meta({ description: 'A literal replacement on these lines, if it is certain.' }),
})
export type DiscrepancyDetails = z.output<typeof detailsSchema>

export const discrepancySchema = detailsSchema
  .extend({
    id: z.string(),
    siteId: z.string(),
    kind: z.enum(discrepancyKinds),
    state: z.enum(discrepancyStates),
    isCertain: z.boolean(),
    subject: z.string().meta({ description: 'The name or key that it is about.' }),
    page: z.string().meta({ description: "Path of the page's file in the site's source." }),
    jobId: z.string().nullable().meta({ description: 'The job created from it.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Discrepancy' })

export const discrepancyQuerySchema = listQuerySchema.extend({
  state: z.enum(discrepancyStates).default('open'),
  kind: z.enum(discrepancyKinds).optional(),
})

export const discrepancyListSchema = pageOf(discrepancySchema, 'DiscrepancyList')

export const discrepancyUpdateSchema = z
  .object({
    state: z.enum(['open', 'ignored']).meta({
      description: 'An ignored discrepancy stays ignored for its subject and page, whichever commit reveals it again.',
    }),
  })
  .meta({ id: 'DiscrepancyUpdate' })
