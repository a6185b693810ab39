import { z } from 'zod'
import { parseJson } from '../../../base/parse-json.ts'

/** Token numbers of a text, without those that mark its beginning and end, and without unknown ones. */
export interface TextTokenizer {
  /** One more than the highest token number. */
  tokens: number
  split(text: string): number[]
}

/** Longer passages say what they are about in these; models are made to read as many. */
const tokensMax = 512

const fileSchema = z.looseObject({
  model: z.looseObject({
    vocab: z.union([z.record(z.string(), z.int().min(0)), z.array(z.tuple([z.string(), z.number()]))]),
    unk_token: z.string().nullish(),
    unk_id: z.int().min(0).nullish(),
  }),
  added_tokens: z
    .array(z.looseObject({ id: z.int().min(0), content: z.string() }))
    .nullish()
    .transform((tokens) => tokens ?? []),
})

/**
 * Opens a `tokenizer.json`.
 *
 * @throws {Error} a clause about the file, if it is of a kind that is not supported.
 */
export async function openTokenizer(text: string): Promise<TextTokenizer> {
  // Loaded on demand: only a local model needs it.
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const file = fileSchema.safeParse(parseJson(text))
  if (!file.success) throw new Error('is not the description of a tokenizer, or has no vocabulary')
  const { model, added_tokens } = file.data
  const inVocabulary = Array.isArray(model.vocab) ? model.vocab.map((_, id) => id) : Object.values(model.vocab)
  const ids = [...inVocabulary, ...added_tokens.map(({ id }) => id)]
  const tokenizer = createTokenizer(() => new Tokenizer(file.data, {}))
  const unknown = model.unk_id ?? tokenizer.token_to_id(model.unk_token ?? '')
  return {
    tokens: ids.reduce((most, id) => Math.max(most, id + 1), 0),
    split: (words) =>
      tokenizer
        .encode(words, { add_special_tokens: false })
        .ids.filter((id: number | undefined) => id !== undefined && id !== unknown)
        .slice(0, tokensMax),
  }
}

function createTokenizer<Tokenizer>(create: () => Tokenizer): Tokenizer {
  try {
    return create()
  } catch (error) {
    throw new Error(`describes a tokenizer of an unknown kind (${String(error)})`, { cause: error })
  }
}
