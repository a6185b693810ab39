import { z } from 'zod'

/**
 * Verdict on one sentence: `pending` while its answer is still being written; `held` if the cited passage contains its
 * exact statements, `partial` if only some, `missing` if none; `no-facts` if it makes none.
 */
export const sentenceVerdicts = ['pending', 'held', 'partial', 'missing', 'no-facts'] as const

export type SentenceVerdict = (typeof sentenceVerdicts)[number]

/** Where a quoted passage is: on the site, and in the source that the site was built from. */
export const citedSourceSchema = z
  .object({
    path: z.string().meta({ description: 'Page on the site, as search returns it.' }),
    anchor: z.string().nullable().meta({ description: 'Nearest heading above the quote; null before the first.' }),
    headings: z.array(z.string()),
    revision: z.string().meta({ description: 'Commit of the repository, or digest of the uploaded files.' }),
    commit: z.string().nullable().meta({ description: 'Null if the site was not built from a repository.' }),
    file: z
      .string()
      .nullable()
      .meta({ description: 'Path in the repository; null if the quote is not found in its file word for word.' }),
    lines: z
      .tuple([z.int().min(1), z.int().min(1)])
      .nullable()
      .meta({
        description: 'First and last line of the quote in `file`, from 1, inclusive. Null exactly if `file` is.',
      }),
    sha256: z
      .string()
      .nullable()
      .meta({ description: 'SHA-256 in hex of the bytes of those lines, including the last line break.' }),
    version: z.string().nullable(),
    language: z.string().nullable(),
  })
  .meta({ id: 'CitedSource' })

/**
 * A sentence of an answer and a passage that it rests on. `number`, `url`, `title`, `description` and `quote` have the
 * names and types that the inline citations of AI Elements read.
 */
export const citationSchema = z
  .object({
    number: z.string().meta({ description: 'Counts cited sections from 1, in order of first use. Digits.' }),
    sourceIds: z.array(z.string()).meta({ description: '`sourceId` of the `source-url` parts of the section.' }),
    url: z.string().meta({ description: 'Absolute, with anchor and text fragment.' }),
    title: z.string(),
    description: z.string().meta({ description: 'Headings above the quote, joined by ` › `.' }),
    quote: z.string().meta({ description: 'From the page, word for word, at most 300 characters.' }),
    answer: z.object({ textId: z.string(), start: z.int().min(0), end: z.int().min(0) }).meta({
      description:
        'The sentence: offsets in UTF-16 code units into the joined text of the text part `textId`, end exclusive. Of a stored answer and in version 1, whose texts have no ids, `textId` is `message`, and they count in the whole text of the answer.',
    }),
    source: citedSourceSchema,
    verdict: z.enum(sentenceVerdicts),
  })
  .meta({ id: 'Citation' })

/** A cited section, as `providerMetadata.docent` of its `source-url` part. Unknown fields are absent, never null. */
export const citedPassageSchema = z
  .object({
    number: z.int().min(1).exactOptional().meta({ description: 'Absent if no sentence cites it.' }),
    path: z.string(),
    anchor: z.string().exactOptional(),
    headings: z.array(z.string()),
    quote: z.string().exactOptional(),
    revision: z.string(),
    commit: z.string().exactOptional(),
    file: z.string().exactOptional(),
    lines: z.tuple([z.int().min(1), z.int().min(1)]).exactOptional(),
    version: z.string().exactOptional(),
    language: z.string().exactOptional(),
  })
  .meta({ id: 'CitedPassage' })

export type CitedSource = z.output<typeof citedSourceSchema>
export type Citation = z.output<typeof citationSchema>
export type CitedPassage = z.output<typeof citedPassageSchema>

/** The place of a sentence in the whole text of its answer. @param starts Where each text part begins in it, by its id. */
export function placeInMessage(
  { textId, start, end }: Citation['answer'],
  starts: ReadonlyMap<string, number>,
): Citation['answer'] {
  const base = starts.get(textId) ?? 0
  return { textId: 'message', start: base + start, end: base + end }
}

/** Type of the part that carries a citation in the UI message stream. */
export const citationPartType = 'data-docent-citation'
