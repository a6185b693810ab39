import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { embedWords } from './embedding-server.ts'

type Json = Record<string, unknown>
export type TensorInput = { dtype: string; shape: readonly number[]; bytes: Buffer }

/** A safetensors file of these tensors, one after the other. */
export function encodeSafetensors(tensors: Readonly<Record<string, TensorInput>>, changes: Json = {}): Buffer {
  let end = 0
  const header = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    const start = end
    end += bytes.length
    return [name, { dtype, shape, data_offsets: [start, end] }]
  })
  const json = Buffer.from(
    JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(header), ...changes }),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, ...Object.values(tensors).map(({ bytes }) => bytes)])
}

export function makeTable(rows: readonly (readonly number[])[]): TensorInput {
  return {
    dtype: 'F32',
    shape: [rows.length, rows[0]?.length ?? 0],
    bytes: Buffer.from(Float32Array.from(rows.flat()).buffer),
  }
}

/** A tokenizer that splits at spaces and punctuation, and knows these words and the beginnings and ends of others. */
export function makeWordTokenizer(words: readonly string[]): Json {
  const special = ['[PAD]', '[UNK]'].map((content, id) => ({
    id,
    content,
    special: true,
    normalized: false,
    single_word: false,
    lstrip: false,
    rstrip: false,
  }))
  return {
    version: '1.0',
    added_tokens: special,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(['[PAD]', '[UNK]', ...words].map((word, id) => [word, id])),
    },
  }
}

/** Writes a small model in model2vec's layout, whose vectors of words are those of the embedding server. */
export function writeStaticModel(folder: string, words: readonly string[]): void {
  const rows = ['pad', 'unk', ...words].map((word) => embedWords(word))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(makeWordTokenizer(words)))
  writeFileSync(join(folder, 'model.safetensors'), encodeSafetensors({ embeddings: makeTable(rows) }))
}
