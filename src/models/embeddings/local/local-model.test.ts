import { closeSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  encodeSafetensors,
  makeTable,
  makeWordTokenizer,
  type TensorInput,
} from '../../../../test/support/static-model.ts'
import { createManualTime } from '../../../../test/models/manual-time.ts'
import { embedPassages } from '../embed-passages.ts'
import { SettingsError } from '../../../config/load-settings.ts'
import { openFolderModel } from './open-folder-model.ts'
import { openLocalModel } from './open-local-model.ts'
import { openOnnxModel } from './onnx-model.ts'
import { openSafetensors } from './open-safetensors.ts'

const root = mkdtempSync(join(tmpdir(), 'local-model-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function writeFolder(files: Record<string, Buffer | object>): string {
  const folder = mkdtempSync(join(root, 'model-'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), Buffer.isBuffer(content) ? content : JSON.stringify(content))
  return folder
}

/** Tokens: [PAD], [UNK], red, blue, ##ish. */
const tokenizer = makeWordTokenizer(['red', 'blue', '##ish'])
const rows = [
  [9, 9],
  [9, 9],
  [1, 0],
  [0, 2],
  [0, 4],
]

async function embed(tensors: Record<string, TensorInput>, texts: string[], words: object = tokenizer) {
  const folder = writeFolder({ 'tokenizer.json': words, 'model.safetensors': encodeSafetensors(tensors) })
  const model = await openLocalModel(`local:${folder}`)
  return (await model.doEmbed({ values: texts })).embeddings
}

const encode = (dtype: string, bytes: Uint8Array): TensorInput => ({ dtype, shape: [5, 2], bytes: Buffer.from(bytes) })
const bytesOf = (values: ArrayBufferView) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

describe('a model in a folder', () => {
  it('averages the vectors of the tokens of a text, without unknown ones', async () => {
    const vectors = await embed({ embeddings: makeTable(rows) }, ['Red BLUE', 'reddish', 'redish', '漢字', ''])

    expect(vectors).toEqual([
      [0.5, 1],
      [0, 0],
      [0.5, 2],
      [0, 0],
      [0, 0],
    ])
  })

  it('multiplies by weights and shares rows if the file says so', async () => {
    const weights = { dtype: 'F64', shape: [5], bytes: Buffer.from(Float64Array.from([1, 1, 10, 0.5, 1]).buffer) }
    const mapping = { dtype: 'I64', shape: [5], bytes: Buffer.from(BigInt64Array.from([0n, 0n, 1n, 2n, 0n]).buffer) }
    const table = makeTable([
      [9, 9],
      [1, 0],
      [0, 2],
    ])

    expect(await embed({ embeddings: table, weights, mapping }, ['red blue'])).toEqual([[5, 0.5]])
  })

  it.each([
    ['F64', bytesOf(Float64Array.from(rows.flat()))],
    ['F16', bytesOf(Uint16Array.from([0, 0, 0, 0, 0x3c00, 0, 0, 0x4000, 0, 0]))],
    ['BF16', bytesOf(Uint16Array.from([0, 0, 0, 0, 0x3f80, 0, 0, 0x4000, 0, 0]))],
    ['I8', bytesOf(Int8Array.from(rows.flat()))],
  ])('reads %s', async (dtype, bytes) => {
    expect(await embed({ embeddings: encode(dtype, bytes) }, ['red', 'blue'])).toEqual([
      [1, 0],
      [0, 2],
    ])
  })

  it('reads the smallest and the largest half floats', async () => {
    const bits = Uint16Array.from([0, 0, 0, 0, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xc248, 0x3555])

    expect(await embed({ embeddings: encode('F16', bytesOf(bits)) }, ['red', 'blue', 'redish'])).toEqual([
      [2 ** -24, -1023 * 2 ** -24],
      [2 ** -14, 65_504],
      [(2 ** -24 - 3.140625) / 2, (0.333251953125 - 1023 * 2 ** -24) / 2],
    ])
  })

  it('leaves passages without a vector that say nothing to it, and embeds the others', async () => {
    const folder = writeFolder({
      'tokenizer.json': tokenizer,
      'model.safetensors': encodeSafetensors({ embeddings: makeTable(rows) }),
    })
    const model = await openLocalModel(`local:${folder}`)
    const embedded: unknown[] = []
    const { signal } = new AbortController()
    const onEmbedded = (...part: unknown[]) => embedded.push(...part)

    const input = { model, kind: 'passage', texts: ['red', '漢字', 'blue'], signal, onEmbedded } as const
    const refused = await embedPassages(createManualTime().deps, input)

    expect(refused).toEqual([1])
    expect(embedded).toEqual([
      [0, 2],
      [
        [1, 0],
        [0, 2],
      ],
    ])
  })

  it('names itself by its setting, and says what it contains', async () => {
    const folder = writeFolder({
      'tokenizer.json': tokenizer,
      'model.safetensors': encodeSafetensors({ embeddings: makeTable(rows) }),
    })

    const model = await openLocalModel(`local:${folder}`)

    expect(`${model.provider}/${model.modelId}`).toBe(`local:${folder}`)
    expect(model.description).toBe('a table of 5 tokens in 0.0 MB')
  })
})

describe('tokenizers of published models', () => {
  const shared = { version: '1.0', added_tokens: [], post_processor: null, decoder: null }

  it('may choose the likeliest pieces of a word (Unigram)', async () => {
    const pieces = [
      ['<unk>', 0],
      ['▁red', -1],
      ['▁', -3],
      ['blue', -2],
      ['▁re', -9],
    ]
    const unigram = {
      ...shared,
      normalizer: { type: 'NFKC' },
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
      model: { type: 'Unigram', unk_id: 0, vocab: pieces },
    }

    expect(await embed({ embeddings: makeTable(rows) }, ['red'], unigram)).toEqual([[9, 9]])
    expect(await embed({ embeddings: makeTable(rows) }, ['blue'], unigram)).toEqual([[0.5, 1]])
  })

  it('may merge bytes (BPE)', async () => {
    const bpe = {
      ...shared,
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      model: { type: 'BPE', vocab: { r: 0, e: 1, re: 2, Ġ: 3, red: 4, d: 5 }, merges: ['r e', 're d'] },
    }
    const table = makeTable([...rows, [7, 7]])

    expect(await embed({ embeddings: table }, ['red re'], bpe)).toEqual([[1 / 3, 2]])
  })
})

describe('a folder with an ONNX model', () => {
  function writeOnnxFolder(files: Record<string, Buffer | object> = {}): string {
    const folder = writeFolder(files)
    mkdirSync(join(folder, 'onnx'))
    writeFileSync(join(folder, 'onnx', 'model.onnx'), '')
    return folder
  }
  const isInstalled = canResolve('@huggingface/transformers')

  it('says which package it needs', async ({ skip }) => {
    if (isInstalled) skip('The package is installed here.')
    const table = encodeSafetensors({ 'encoder.weight': makeTable(rows) })

    const opening = openLocalModel(`local:${writeOnnxFolder({ 'model.safetensors': table })}`)

    await expect(opening).rejects.toThrow('npm install @huggingface/transformers')
  })

  it('is run without fetching anything, with the pooling that it was made for', async () => {
    const folder = writeOnnxFolder()
    mkdirSync(join(folder, '1_Pooling'))
    writeFileSync(join(folder, '1_Pooling', 'config.json'), '{"pooling_mode_cls_token": true}')
    const calls: unknown[] = []
    const env = { allowRemoteModels: true, localModelPath: '/models' }
    const pipeline = (...call: unknown[]) => {
      calls.push(...call)
      return async (texts: string[], options: object) => {
        calls.push(options)
        return { tolist: () => texts.map((text) => [text.length]) }
      }
    }

    const model = await openOnnxModel(folder, async () => ({
      env,
      pipeline: async (...call: unknown[]) => pipeline(...call),
    }))
    const vectors = await model.embed(['one', 'four'])

    expect(vectors).toEqual([[3], [4]])
    expect(env).toEqual({ allowRemoteModels: false, localModelPath: root })
    expect(calls).toEqual([
      'feature-extraction',
      folder.slice(root.length + 1),
      { local_files_only: true, subfolder: 'onnx', dtype: 'fp32' },
      { pooling: 'cls', normalize: true },
    ])
  })

  it('is read as a table if it contains one as well', async () => {
    const table = encodeSafetensors({ embeddings: makeTable(rows) })

    const model = await openFolderModel(writeOnnxFolder({ 'tokenizer.json': tokenizer, 'model.safetensors': table }))

    expect(model.description).toContain('a table of 5 tokens')
  })
})

function canResolve(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}

describe('a folder that contains no model', () => {
  const table = encodeSafetensors({ embeddings: makeTable(rows) })
  const header = (json: string) =>
    Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(json.length)).buffer), Buffer.from(json)])
  const huge = '{"embeddings":{"dtype":"F32","shape":[9007199254740991,9007199254740991],"data_offsets":[0,40]}}'

  it.each([
    ['nothing', {}, 'tokenizer.json cannot be read (ENOENT)'],
    ['no table', { 'tokenizer.json': tokenizer }, 'model.safetensors cannot be read (ENOENT)'],
    ['no tokenizer', { 'tokenizer.json': [] }, 'is not the description of a tokenizer'],
    [
      'an unknown tokenizer',
      { 'tokenizer.json': { ...tokenizer, pre_tokenizer: { type: 'Own' } } },
      'describes a tokenizer of an unknown kind',
    ],
    [
      'another table',
      { 'model.safetensors': encodeSafetensors({ x: makeTable(rows) }) },
      'no tensor named "embeddings"',
    ],
    [
      'too few rows',
      { 'model.safetensors': encodeSafetensors({ embeddings: makeTable(rows.slice(1)) }) },
      'vectors of 4 tokens, but tokenizer.json has 5',
    ],
    ['a table cut off', { 'model.safetensors': table.subarray(0, -1) }, 'damaged or cut off'],
    [
      'a text',
      { 'model.safetensors': Buffer.from('version https://git-lfs.github.com/spec/v1') },
      'is not a safetensors file',
    ],
    ['an empty file', { 'model.safetensors': Buffer.alloc(0) }, 'is not a safetensors file'],
    ['no JSON', { 'model.safetensors': header('{"embeddings":') }, 'its header is not a JSON object'],
    ['a shape beyond all numbers', { 'model.safetensors': header(huge) }, 'damaged or cut off'],
  ])('is refused with its reason: %s', async (_, files, reason) => {
    const whole = 'tokenizer.json' in files || Object.keys(files).length === 0 ? {} : { 'tokenizer.json': tokenizer }
    const folder = writeFolder({ ...whole, ...files })

    const opening = openLocalModel(`local:${folder}`)

    await expect(opening).rejects.toThrow(SettingsError)
    await expect(opening).rejects.toThrow(reason)
    await expect(opening).rejects.toThrow('DOCENT_EMBEDDING_MODEL')
  })

  it('never makes the reader of tensors look outside its file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer(),
        fc.array(fc.maxSafeInteger(), { maxLength: 3 }),
        async (from, to, shape) => {
          const changes = { embeddings: { dtype: 'F32', shape, data_offsets: [from, to] } }
          const folder = writeFolder({ f: encodeSafetensors({ embeddings: makeTable(rows) }, changes) })

          const opened = await openSafetensors(join(folder, 'f')).catch(() => null)

          const { size } = statSync(join(folder, 'f'))
          for (const { start, bytes } of opened?.tensors.values() ?? []) {
            expect(start + bytes).toBeLessThanOrEqual(size)
            expect(Math.min(start, bytes)).toBeGreaterThanOrEqual(0)
          }
          if (opened !== null) closeSync(opened.descriptor)
        },
      ),
    )
  })
})
