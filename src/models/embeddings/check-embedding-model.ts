import { nameModel } from '../../contract/model-providers.ts'
import type { Clock } from '../../base/clock.ts'
import { quoteError } from '../calls/check-model.ts'
import { callEmbeddingModel } from './call-embedding-model.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { ModelCallError, type ModelFault } from '../calls/model-call-error.ts'

export type EmbeddingModelCheck =
  | { isUsable: true; modelId: string; dimensions: number; tookMs: number; description: string | null }
  | { isUsable: false; message: string }

const limitMs = 30_000

/**
 * Asks an embedding model for one vector. An unusable model is a result, not an error.
 *
 * @throws The reason of `signal` when that aborts.
 */
export async function checkEmbeddingModel(
  deps: { clock: Clock },
  model: EmbeddingModel,
  signal: AbortSignal,
): Promise<EmbeddingModelCheck> {
  const modelId = nameModel(model)
  const startedAtMs = deps.clock.now()
  try {
    const call = { texts: ['How do I install it?'], kind: 'question' as const, limitMs, signal }
    const { vectors } = await callEmbeddingModel(deps, model, call)
    return {
      isUsable: true,
      modelId,
      dimensions: vectors[0]?.length ?? 0,
      tookMs: deps.clock.now() - startedAtMs,
      description: model.description ?? null,
    }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error
    return { isUsable: false, message: `${modelId} ${advise(error.fault)} It said "${quoteError(error)}".` }
  }
}

function advise(fault: ModelFault): string {
  switch (fault) {
    case 'key':
      return 'refused the key. Check DOCENT_EMBEDDING_API_KEY, or the variable of its provider.'
    case 'unknown-model':
      return 'is not known there. Check its name in DOCENT_EMBEDDING_MODEL and the address in DOCENT_EMBEDDING_BASE_URL.'
    case 'rate-limit':
    case 'overloaded':
      return 'is not answering right now. Try again in a minute; until then, searches use words only.'
    case 'ceiling':
    case 'quota':
      return 'has used up its quota. Check the billing of its provider.'
    case 'unreachable':
    case 'timeout':
      return 'cannot be reached. Check DOCENT_EMBEDDING_BASE_URL, the network and whether its server runs.'
    case 'address':
      return 'was not called. Check DOCENT_EMBEDDING_BASE_URL.'
    case 'too-long':
    case 'tools':
    case 'refused':
    case 'oversized':
    case 'broken':
      return 'returned no vector. Check that it is an embedding model, and that its address speaks the protocol of its provider.'
  }
}
