import type { AnswerModels } from '../assistant/answer-models.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { askSite, noWrites } from '../assistant/suite/ask-site.ts'
import { mapConcurrently } from '../base/map-concurrently.ts'
import { findSuiteFailures } from '../content/suite/find-suite-failures.ts'
import { readSiteSettings } from '../contract/site-settings.ts'
import type { SuiteResult, SuiteTest } from '../contract/suite.ts'
import { createFreeModel } from '../models/calls/billed-model.ts'
import type { LiveSite, LiveSites } from '../sites/live-sites.ts'
import { listSites } from '../store/sites/sites.ts'
import { claimSuiteRun, finishSuiteRun } from '../store/suite/suite-runs.ts'
import type { Log } from '../telemetry/log.ts'

export interface SuiteWorkerDeps {
  answers: AnswerDeps
  sites: LiveSites
  log: Log
}

const roundMs = 60_000
const sitesMax = 1_000
/** Few, because readers come first. */
const askedAtOnce = 2
const runMsMax = 30 * 60_000
const answerFailed = { expectation: 'answered', message: 'The answer failed. Ask the question to see why.' } as const

/** Asks the tests of each site once with each index, and stores the results. */
export class SuiteWorker {
  readonly #deps: SuiteWorkerDeps
  readonly #answers: AnswerDeps
  readonly #offline: AnswerModels
  readonly #stop = new AbortController()
  /** Indexes that this process has seen finished or claimed. */
  readonly #done = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(deps: SuiteWorkerDeps) {
    this.#deps = deps
    this.#answers = { ...deps.answers, writes: noWrites }
    const model = createFreeModel(deps.answers.offlineModel)
    this.#offline = { answering: model, rewriting: model, mayAnswerOffline: true }
  }

  start(): void {
    this.#timer ??= setInterval(() => this.wake(), roundMs)
    this.#timer.unref()
    this.wake()
  }

  /** An index was published: runs a round now if the worker is started. */
  wake(): void {
    if (this.#timer !== null) this.#round = this.#round.then(() => this.#runRound())
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** Never rejects: failures are retried in the next round. */
  async #runRound(): Promise<void> {
    const { answers, sites, log } = this.#deps
    try {
      const { items } = await listSites(answers.store.durable, { limit: sitesMax, cursor: null })
      for (const { slug } of items) {
        if (this.#stop.signal.aborted) return
        const site = await sites.find(slug).catch(() => null)
        if (site !== null && site.guidance.suite.length > 0) await this.#test(site)
      }
    } catch (error) {
      log.warn({ error }, 'suite-round-failed')
    }
  }

  async #test(site: LiveSite): Promise<void> {
    const { answers, log } = this.#deps
    const { store, clock, ids } = answers
    const { id: generationId, revision } = site.generation
    if (this.#done.has(generationId)) return
    const claimedAt = clock.now()
    const claim = { id: ids.prefixed('suite'), siteId: site.id, generationId, revision, claimedAt }
    if (!(await claimSuiteRun(store.durable, claim, claimedAt - runMsMax))) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(runMsMax)])
    const ask = (test: SuiteTest) => this.#ask(site, test, signal)
    const results = await mapConcurrently(site.guidance.suite, askedAtOnce, ask)
    await finishSuiteRun(store.durable, claim, { results, now: clock.now() })
    this.#done.add(generationId)
    const failed = results.filter(({ failures }) => failures.length > 0).length
    log.info({ siteId: site.id, tests: results.length, failed }, 'suite-asked')
  }

  async #ask(site: LiveSite, test: SuiteTest, signal: AbortSignal): Promise<SuiteResult> {
    const { question, version } = test
    const { log } = this.#deps
    const usesModel = readSiteSettings(site.settings).suiteAsksModel
    const deps = usesModel ? this.#answers : { ...this.#answers, models: async () => this.#offline }
    try {
      const answer = await askSite(deps, { site, log }, test, signal)
      signal.throwIfAborted()
      return { question, version, failures: findSuiteFailures(test, answer), verdict: answer.verdict }
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ error, siteId: site.id }, 'suite-question-failed')
      return { question, version, failures: [answerFailed], verdict: null }
    }
  }
}
