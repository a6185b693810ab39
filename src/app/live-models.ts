import { isRecent } from '../base/is-recent.ts'
import type { AnswerModels } from '../assistant/answer-models.ts'
import { type LiveSettings, ModelSettings } from '../assistant/model-settings.ts'
import type { Settings } from '../config/settings.ts'
import { nameModel, offlineModelId } from '../contract/model-providers.ts'
import type { CheckedModel } from '../models/calls/probe-model.ts'
import { openEmbeddingModel } from '../models/embeddings/open-embedding-model.ts'
import { createChatModel, createModelAlone, createRewriteModel, listFallbacks } from '../models/model-registry.ts'
import { findPrice, parsePrices } from '../models/providers/prices.ts'
import type { ResilientModelDeps } from '../models/calls/resilient-model.ts'
import type { Store } from '../store/store.ts'
import { describeSpendingOf } from './site-ceilings.ts'

export interface LiveModelsDeps extends ResilientModelDeps {
  store: Store
  /** Seals stored settings. */
  key: Buffer
  settings: Settings
}

/** How long stored settings are cached. Changes by other processes take effect within this time. */
const believedMs = 2_000

/** The configured models, re-created without a restart when stored settings change. */
export class LiveModels {
  readonly stored: ModelSettings
  readonly #deps: LiveModelsDeps
  #madeOf = ''
  #models: AnswerModels | null = null
  #checkedAtMs = -Infinity
  #spendingNotes: readonly string[] = []

  constructor(deps: LiveModelsDeps) {
    this.#deps = deps
    this.stored = new ModelSettings({ ...deps, tryOut: (settings) => this.#make(settings) })
  }

  /** Notes for operators on what these models may cost. */
  get spendingNotes(): readonly string[] {
    return this.#spendingNotes
  }

  /** Reads the stored settings again for the next answer. */
  forget(): void {
    this.#checkedAtMs = -Infinity
  }

  /** @throws {SettingsError} if the settings name a model that cannot be created. */
  async current(): Promise<AnswerModels> {
    const now = this.#deps.clock.now()
    if (this.#models !== null && isRecent(this.#checkedAtMs, believedMs, now)) return this.#models
    this.#checkedAtMs = now
    try {
      return await this.#refresh()
    } catch (error) {
      // On failure, the previous models stay in use.
      if (this.#models === null) throw error
      this.#deps.log.error({ error }, 'stored-model-unusable')
      return this.#models
    }
  }

  /**
   * Opens what a check of a model tries out: the model alone, the current one by default, and with that one the
   * embedding model.
   *
   * @throws {SettingsError} if it cannot be created.
   */
  async openForCheck(id?: string): Promise<CheckedModel> {
    const settings = await this.stored.read()
    const model = await createModelAlone(this.#deps, settings, id ?? settings.model)
    const embedding = id === undefined ? await openEmbeddingModel(settings) : null
    return { model, embedding, price: findPrice(nameModel(model), parsePrices(settings.modelPrices)) }
  }

  async #refresh(): Promise<AnswerModels> {
    const settings = await this.stored.read()
    const madeOf = JSON.stringify([settings.model, settings.modelApiKey, settings.storedAddress])
    if (this.#models !== null && madeOf === this.#madeOf) return this.#models
    const models = await this.#make(settings)
    this.#models = models
    this.#madeOf = madeOf
    this.#spendingNotes = describeSpendingOf(settings)
    for (const note of this.#spendingNotes) this.#deps.log.info({ note }, 'spending-bounded')
    return models
  }

  async #make(settings: LiveSettings): Promise<AnswerModels> {
    const answering = await createChatModel(this.#deps, settings)
    const rewriting = (await createRewriteModel(this.#deps, settings)) ?? answering
    const mayAnswerOffline = [settings.model, ...listFallbacks(settings)].includes(offlineModelId)
    return { answering, rewriting, mayAnswerOffline }
  }
}
