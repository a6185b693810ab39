import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderModel } from './folder-model.ts'
import { openTokenizer } from './open-tokenizer.ts'
import { TokenTable } from './token-table.ts'

/** That of the largest published model is a fifth of it. */
const tokenizerBytesMax = 128_000_000

export const tableFile = 'model.safetensors'
const tokenizerFile = 'tokenizer.json'

/**
 * Opens a model in the layout of model2vec: the vector of a text is the mean of the vectors of its tokens. Its
 * `config.json` is not needed: only directions are compared, so that lengths do not matter.
 *
 * @throws {Error} a clause about the folder, if it does not contain one.
 */
export async function openStaticModel(folder: string): Promise<FolderModel> {
  const tokenizer = await openPart(folder, tokenizerFile, async (file) => {
    const { size } = await stat(file)
    if (size > tokenizerBytesMax) throw new Error(`is larger than ${tokenizerBytesMax / 1_000_000} MB`)
    return openTokenizer(await readFile(file, 'utf8'))
  })
  const table = await openPart(folder, tableFile, (file) => openTable(file, tokenizer.tokens))
  const { size } = await stat(join(folder, tableFile))
  return {
    description: `a table of ${table.tokens} tokens in ${(size / 1_000_000).toFixed(1)} MB`,
    embed: (texts) => table.average(texts.map((text) => tokenizer.split(text))),
  }
}

async function openTable(file: string, tokens: number): Promise<TokenTable> {
  const table = await TokenTable.open(file)
  if (table.tokens >= tokens) return table
  table.close()
  throw new Error(`has vectors of ${table.tokens} tokens, but ${tokenizerFile} has ${tokens}: take both from one model`)
}

async function openPart<Part>(folder: string, name: string, open: (file: string) => Promise<Part>): Promise<Part> {
  try {
    return await open(join(folder, name))
  } catch (error) {
    throw new Error(`whose ${name} ${describeFileFault(error)}`, { cause: error })
  }
}

/** The system's own messages begin with a code and end with the path. */
function describeFileFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `cannot be read (${String(error.code)})` : error.message
}
