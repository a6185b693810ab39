import { nameModel } from '../../contract/model-providers.ts'
import type { Clock } from '../../base/clock.ts'
import { ModelTimeoutError } from '../calls/call-watch.ts'
import type { EmbeddedKind, EmbeddingModel } from '../embedding-model.ts'
import { ModelCallError, readModelCallError } from '../calls/model-call-error.ts'

export interface EmbeddingCall {
  texts: readonly string[]
  kind: EmbeddedKind
  limitMs: number
  signal: AbortSignal
}

export interface EmbeddedTexts {
  vectors: number[][]
  /** As counted by the provider; null if it does not count. */
  tokens: number | null
}

/** Providers ignore options for other providers. */
const questionOptions = nameKind('RETRIEVAL_QUERY', 'search_query')
const passageOptions = nameKind('RETRIEVAL_DOCUMENT', 'search_document')

function nameKind(taskType: string, inputType: string) {
  return { google: { taskType }, googleVertex: { taskType }, cohere: { inputType }, amazonBedrock: { inputType } }
}

/**
 * Calls an embedding model once.
 *
 * @returns One vector per text, all of the same length, of finite numbers. Zeros for a text that says nothing to the
 *   model.
 * @throws {ModelCallError} when it fails, takes longer than `limitMs`, or returns anything else.
 * @throws The reason of `signal` when that aborts.
 */
export async function callEmbeddingModel(
  { clock }: { clock: Clock },
  model: EmbeddingModel,
  { texts, kind, limitMs, signal }: EmbeddingCall,
): Promise<EmbeddedTexts> {
  const modelId = nameModel(model)
  const limit = AbortSignal.timeout(limitMs)
  try {
    const { embeddings, usage } = await model.doEmbed({
      values: [...texts],
      abortSignal: AbortSignal.any([signal, limit]),
      providerOptions: kind === 'question' ? questionOptions : passageOptions,
    })
    assertVectors(embeddings, texts.length, modelId)
    return { vectors: embeddings, tokens: readTokens(usage?.tokens) }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted || error instanceof ModelTimeoutError) {
      const message = `The embedding model took longer than ${limitMs} ms.`
      throw new ModelCallError({ fault: 'timeout', modelId, message })
    }
    throw readModelCallError(error, modelId, clock.now())
  }
}

function readTokens(tokens: number | undefined): number | null {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : null
}

/** Vectors come from outside: validate them before computing with them. */
function assertVectors(embeddings: readonly (readonly number[])[], count: number, modelId: string): void {
  const dimensions = embeddings[0]?.length ?? 0
  const isWhole =
    embeddings.length === count &&
    dimensions > 0 &&
    embeddings.every((vector) => vector.length === dimensions && vector.every(Number.isFinite))
  if (isWhole) return
  const message = `The reply contains ${embeddings.length} vectors for ${count} texts, or some are empty, of different lengths or not numeric.`
  throw new ModelCallError({ fault: 'broken', modelId, message })
}
