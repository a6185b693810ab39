import { z } from 'zod'
import { searchRequestSchema } from './search.ts'

export const explainSearchRequestSchema = searchRequestSchema
  .extend({
    currentPath: z.string().max(200).nullish(),
    groups: z
      .array(z.string().min(1).max(200))
      .max(100)
      .nullish()
      .meta({ description: 'Searches as a signed-in reader in these groups. Default: as an anonymous reader.' }),
  })
  .meta({ id: 'ExplainSearchRequest' })

const termSchema = z.object({
  term: z.string().meta({ description: 'The term as indexed: a stem or an identifier.' }),
  passages: z.number().int().meta({ description: 'Number of passages in scope that contain it.' }),
  rarity: z.number().meta({ description: 'Weight by rarity: rarer terms count more.' }),
  weight: z
    .number()
    .meta({ description: 'Weight of the term; below 1 for a spelling correction or a part of an unknown compound.' }),
})

const share = () => z.number()

const hitSchema = z.object({
  path: z.string(),
  anchor: z.string().nullable(),
  title: z.string(),
  content: z.string().meta({ description: 'Markdown of the passage.' }),
  headings: z.array(z.string()),
  href: z.string(),
  version: z.string().nullable(),
  language: z.string().nullable(),
  score: z.number().meta({ description: '0 to 1, as in search results.' }),
  words: z
    .object({
      rank: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Rank by keywords alone; null if only semantic search found the passage.' }),
      value: z.number(),
      terms: z.array(z.object({ term: z.string(), title: share(), headings: share(), body: share(), path: share() })),
      otherTerms: share().meta({ description: 'Share of the terms beyond the 24 listed.' }),
      page: share().meta({ description: 'Weight from the rest of the page, if the whole page matches the query.' }),
      neighbour: share().meta({ description: 'Weight from an adjacent passage that matches the query.' }),
      proximity: share().meta({ description: 'Weight from query terms that are close together.' }),
      topic: share().meta({
        description: "Weight from the page's title or the last part of its path being what the query asks for.",
      }),
    })
    .meta({ description: '`value` is the sum of its parts.' }),
  boost: z.number().meta({ description: "Factor from the page's `boost`, included in all values." }),
  meaning: z.object({ rank: z.number().int(), nearness: z.number() }).nullable().meta({
    description: 'Rank and similarity by vectors; null if the passage is not similar or there is no semantic search.',
  }),
  fused: z.number().nullable().meta({ description: 'Score from both ranks; null without semantic search.' }),
  placeFactor: z.number().meta({ description: "Factor for the reader's current page." }),
  repetitionFactor: z.number().meta({ description: 'Factor for repeated passages of one page.' }),
})

export const explainSearchSchema = z
  .object({
    terms: z.array(termSchema),
    unknownTerms: z.array(z.string()).meta({ description: 'Query terms that occur nowhere in scope.' }),
    hits: z.array(hitSchema).meta({ description: 'Best first, as search returns them.' }),
    removed: z
      .array(
        z.object({
          path: z.string(),
          title: z.string(),
          reasons: z.array(z.enum(['reader', 'version', 'language', 'tag', 'groups', 'path', 'edition-missing'])),
        }),
      )
      .meta({ description: 'High-ranking pages that the reader may not see or the filter excludes, and why.' }),
  })
  .meta({ id: 'ExplainedSearch' })
