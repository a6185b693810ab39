import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { FolderModel } from './folder-model.ts'

/** Optional: a hundred megabytes that only those who run such a model need. */
const packageName = '@huggingface/transformers'

/** As exported by most publishers, relative to the folder. */
const modelFiles = [
  { path: 'onnx/model.onnx', subfolder: 'onnx' },
  { path: 'model.onnx', subfolder: '' },
]

/** The part of the package that is used here. */
interface TransformersPackage {
  env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extract>
}
type Extract = (texts: string[], options: { pooling: string; normalize: boolean }) => Promise<{ tolist(): number[][] }>

const poolingSchema = z.looseObject({ pooling_mode_cls_token: z.boolean().default(false) })

export const findOnnxFile = (folder: string) => modelFiles.find(({ path }) => existsSync(join(folder, path)))

/**
 * Opens a transformer in ONNX format. Nothing is ever fetched.
 *
 * @param load Imports the package.
 * @throws {Error} a clause about the folder, if it cannot be opened or the package is missing.
 */
export async function openOnnxModel(
  folder: string,
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<FolderModel> {
  const loaded = await load(packageName).catch((error: unknown) => {
    const advice = `install it with "npm install ${packageName}" in the folder of Docent`
    throw new Error(`with an ONNX model, which needs the package ${packageName}: ${advice}`, { cause: error })
  })
  const { env, pipeline } = loaded as TransformersPackage // Loaded by name, so that it need not be installed.
  env.allowRemoteModels = false
  env.localModelPath = dirname(folder)
  const options = { local_files_only: true, subfolder: findOnnxFile(folder)?.subfolder, dtype: 'fp32' }
  const extract = await pipeline('feature-extraction', basename(folder), options)
  const pooling = await readPooling(folder)
  return {
    description: `an ONNX model with ${pooling} pooling`,
    embed: async (texts) => (await extract([...texts], { pooling, normalize: true })).tolist(),
  }
}

/** How a text's vector is made from those of its tokens, as sentence-transformers writes it. */
async function readPooling(folder: string): Promise<'cls' | 'mean'> {
  const text = await readFile(join(folder, '1_Pooling', 'config.json'), 'utf8').catch(() => '{}')
  return poolingSchema.parse(JSON.parse(text)).pooling_mode_cls_token ? 'cls' : 'mean'
}
