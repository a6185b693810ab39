import { SiteAccount } from '../assistant/site-account.ts'
import { maskSecrets } from '../base/mask-secrets.ts'
import type { Settings } from '../config/settings.ts'
import { openEmbeddingModel, pickEmbeddingSettings } from '../models/embeddings/open-embedding-model.ts'
import { createQuestionEmbedder, type QuestionEmbedder } from '../models/embeddings/question-embedder.ts'
import { parsePrices } from '../models/providers/prices.ts'
import { sleep } from '../base/sleep.ts'
import { getSite } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { EmbeddingWorker } from '../worker/embedding-worker.ts'
import type { Foundation } from './foundation.ts'
import { readSiteCeilings } from './site-ceilings.ts'

export interface Embedding {
  questions: QuestionEmbedder
  /** Embeds sites. Start and stop it with the other workers. */
  createWorker(store: Store): EmbeddingWorker
}

/** How long a search waits for the vector of its question before it falls back to words alone. */
const questionWaitMs = 300

/**
 * @returns Null if the settings name no embedding model.
 * @throws {SettingsError} if the model is unknown, or its key or address is missing.
 */
export async function buildEmbedding(
  deps: Pick<Foundation, 'clock' | 'log' | 'folder' | 'ids' | 'indexCache' | 'store'>,
  settings: Settings,
): Promise<Embedding | null> {
  const { clock, log, folder, ids, indexCache } = deps
  const model = await openEmbeddingModel(settings)
  const { embeddingModel } = settings
  if (model === null || embeddingModel === undefined) return null
  if (model.description !== undefined)
    log.info({ model: embeddingModel, is: model.description }, 'local-embedding-model')
  return {
    questions: createQuestionEmbedder(
      { clock, log, sleep },
      {
        model,
        waitMs: questionWaitMs,
        prices: parsePrices(settings.modelPrices),
        openAccount: (siteId) => openSiteAccount(deps, settings, siteId),
        ...(settings.maskPrompts && { mask: maskSecrets }),
      },
    ),
    createWorker: (store) =>
      new EmbeddingWorker({
        store,
        clock,
        log,
        sleep,
        indexFolder: folder.indexes,
        shared: indexCache && { indexCache, ids },
        vectorFolder: folder.vectors,
        settings: { ...pickEmbeddingSettings(settings), embeddingModel },
      }),
  }
}

async function openSiteAccount(
  { store, clock }: Pick<Foundation, 'store' | 'clock'>,
  settings: Settings,
  siteId: string,
): Promise<SiteAccount> {
  const site = await getSite(store.durable, siteId)
  const siteCeilings = readSiteCeilings(settings)
  return new SiteAccount({ store, clock, siteCeilings }, { id: siteId, settings: site?.settings ?? {} })
}
