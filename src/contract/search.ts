import { z } from 'zod'

/** Most passages per request. */
export const pageSizeMax = 50
export const queryCharsMax = 2_000
export const pathCharsMax = 1_000

const optionalText = z.string().max(200).nullish()

/** Narrows an answer or a search to a part of the site. Unknown keys are ignored; null is the same as absent. */
export const searchFilterSchema = z
  .object({
    version: optionalText.meta({ description: "Only pages of this version. Default: the site's default version." }),
    language: optionalText.meta({ description: "Only pages in this language. Default: the site's default language." }),
    tag: optionalText,
    groups: z.array(z.string().max(200)).max(100).nullish().meta({
      description:
        'Only pages that require no group or one of these. Narrows what the key or the signed identity allows, never widens it.',
    }),
  })
  .meta({ id: 'SearchFilter' })

export const searchRequestSchema = z
  .object({
    query: z.string().trim().min(1).max(queryCharsMax),
    pageSize: z
      .number()
      .int()
      .min(1)
      .max(pageSizeMax)
      .nullish()
      .meta({ description: 'Maximum number of results. Default: 10.' }),
    scoreThreshold: z.number().min(0).max(1).nullish().meta({ description: 'Omits results with a lower score.' }),
    filter: searchFilterSchema.nullish(),
  })
  .meta({ id: 'SearchRequest' })

export const searchResultSchema = z
  .object({
    content: z.string().meta({ description: 'Markdown of the passage.' }),
    path: z.string().meta({ description: 'Root-relative path of the page.' }),
    metadata: z.object({
      title: z.string(),
      description: z.string(),
      href: z.string().meta({ description: 'Absolute address of the passage on the site.' }),
      score: z.number().meta({ description: '0 to 1, comparable across sites.' }),
      headings: z.array(z.string()),
      version: z.string().nullable(),
      language: z.string().nullable(),
      alternatives: z.array(z.string()).optional().meta({
        description: 'Paths of pages that say the same, such as other dialects of the page. Absent without any.',
      }),
    }),
  })
  .meta({ id: 'SearchResult' })

export const searchResponseSchema = z.array(searchResultSchema)

export const pageRequestSchema = z
  .object({
    path: z
      .string()
      .min(1)
      .max(pathCharsMax)
      .meta({ description: 'Root-relative path of the page, with or without `.md`.' }),
    groups: z.array(z.string().max(200)).max(100).nullish(),
  })
  .meta({ id: 'PageRequest' })

export const pageResponseSchema = z
  .object({ path: z.string(), content: z.string().meta({ description: 'Markdown of the page.' }) })
  .meta({ id: 'PageContent' })

export type SearchResult = z.output<typeof searchResultSchema>
