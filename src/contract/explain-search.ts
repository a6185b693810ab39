import { z } from 'zod'
import { searchRequestSchema } from './search.ts'

export const explainSearchRequestSchema = searchRequestSchema
  .extend({
    currentPath: z.string().max(200).nullish(),
    groups: z
      .array(z.string().min(1).max(200))
      .max(100)
      .nullish()
      .meta({ description: 'Searches as a signed-in reader of these groups; as the public without it.' }),
  })
  .meta({ id: 'ExplainSearchRequest' })

const termSchema = z.object({
  term: z.string().meta({ description: 'As the index knows it: the stem of a word, or an identifier.' }),
  passages: z.number().int().meta({ description: 'How many passages in scope hold it.' }),
  rarity: z.number().meta({ description: 'How much it tells: the rarer, the more.' }),
  weight: z.number().meta({ description: 'Below 1 for a guess at a mistyped word.' }),
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
      rank: z.number().int().nullable().meta({ description: 'By words alone; null where meaning alone found it.' }),
      value: z.number(),
      terms: z.array(z.object({ term: z.string(), title: share(), headings: share(), body: share(), path: share() })),
      otherTerms: share().meta({ description: 'Of terms beyond the 24 that are listed.' }),
      page: share().meta({ description: 'Because the page as a whole is about the words.' }),
      neighbour: share().meta({ description: 'Because the passage beside it is.' }),
      proximity: share().meta({ description: 'Because the words stand near to each other.' }),
    })
    .meta({ description: '`value` is the sum of its parts.' }),
  boost: z.number().meta({ description: 'What the `boost` of the page multiplies by; it is in all values.' }),
  meaning: z
    .object({ rank: z.number().int(), nearness: z.number() })
    .nullable()
    .meta({ description: 'By vectors; null where the passage is not near or search goes by words alone.' }),
  fused: z.number().nullable().meta({ description: 'By both ranks; null where search goes by words alone.' }),
  placeFactor: z.number().meta({ description: "What the reader's page multiplies by." }),
  repetitionFactor: z.number().meta({ description: 'What earlier passages of the same page multiply by.' }),
})

export const explainSearchSchema = z
  .object({
    terms: z.array(termSchema),
    unknownTerms: z.array(z.string()).meta({ description: 'Terms of the query that nothing in scope holds.' }),
    hits: z.array(hitSchema).meta({ description: 'Best first, as search returns them.' }),
    removed: z
      .array(
        z.object({
          path: z.string(),
          title: z.string(),
          reasons: z.array(z.enum(['reader', 'version', 'language', 'tag', 'groups', 'path', 'edition-missing'])),
        }),
      )
      .meta({ description: 'Pages among the best that the reader or the filter leaves out, and why.' }),
  })
  .meta({ id: 'ExplainedSearch' })
