import { WorkThread } from '../../../base/work-thread.ts'
import { splitModelId } from '../../../contract/model-providers.ts'
import type { EmbeddingModel } from '../../embedding-model.ts'
import { refuse } from '../../providers/provider-access.ts'
import type { LocalEmbeddingRequest, LocalEmbeddings } from './folder-model.ts'

/** The vocabulary of a multilingual model takes half of it. */
const memoryMbMax = 2_048
/** For one batch of passages; a large transformer on a slow processor takes a second for each. */
const batchMsMax = 120_000

/**
 * Opens the model in a folder on this machine, in a thread of its own: splitting a text into tokens must not hold up
 * answers.
 *
 * @param id `local:/path/to/folder`, from the operator's settings.
 * @throws {SettingsError} if the folder does not contain a model that can be read.
 */
export async function openLocalModel(id: string): Promise<EmbeddingModel> {
  // Joined by a slash, provider and model are the id again, as for every other model.
  const { provider, model: modelId } = splitModelId(id)
  const folder = `/${modelId}`
  const thread = new WorkThread<LocalEmbeddingRequest, LocalEmbeddings>({
    entry: new URL('./local-embedding-worker.ts', import.meta.url),
    what: 'Local embeddings',
    memoryMbMax,
    msMax: batchMsMax,
  })
  const embed = (texts: readonly string[], signal = new AbortController().signal) =>
    thread.run({ folder, texts }, signal)
  const { description } = await embed([]).catch(async (error: unknown) => {
    await thread.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw refuse('DOCENT_EMBEDDING_MODEL', `names the folder ${folder}, ${reason}`)
  })
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    description,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: false,
    doEmbed: async ({ values, abortSignal }) => {
      const { vectors } = await embed(values, abortSignal)
      return { embeddings: vectors, warnings: [] }
    },
  }
}
