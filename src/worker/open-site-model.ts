import { join } from 'node:path'
import { isOffline } from '../assistant/answer-models.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { askSite, noWrites } from '../assistant/suite/ask-site.ts'
import { mapConcurrently } from '../base/map-concurrently.ts'
import type { ComparedAnswer, ModelComparison } from '../contract/counterfactual.ts'
import { nameModel } from '../contract/model-providers.ts'
import { chooseCeiling, readSiteSettings, type SiteSettings } from '../contract/site-settings.ts'
import { createSearchEngine } from '../search/search-engine.ts'
import type { LiveSite, LiveSites } from '../sites/live-sites.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Log } from '../telemetry/log.ts'
import { compareAnswers, type GroundedAnswer } from '../agent/counterfactual/compare-answers.ts'
import {
  type ComparedQuestion,
  countOutcomes,
  findSideFailures,
  type ReachedSite,
  sortAnswers,
} from '../agent/counterfactual/compare-sites.ts'
import type { IndexedChange, SiteModel } from '../agent/counterfactual/compare-pull-request.ts'
import { versionNames } from '../agent/counterfactual/site-version.ts'

export interface OpenSiteModelDeps {
  answers: AnswerDeps
  sites: Pick<LiveSites, 'find'>
  log: Log
}

/** Each costs at least two answers. */
const questionsMax = 50
const askedAtOnce = 2
/** Readers come first: the rest of a day's ceilings is theirs. */
const budgetShare = 0.5

/**
 * Opens a site's model to be asked about pull requests, as a reader who is not signed in, before and after a change. It is
 * paid from the site's ceilings; once their share is spent, or it fails, it is not called again.
 *
 * @returns Null if the owner has not turned it on, no budget is set, or the site has no model or index yet.
 */
export async function openSiteModel(deps: OpenSiteModelDeps, site: Site): Promise<SiteModel | null> {
  const { answers, sites, log } = deps
  const settings = readSiteSettings(site.settings)
  const ceilings = shareCeilings(answers, settings)
  if (!settings.suiteAsksModel || ceilings === null) return null
  try {
    const { answering } = await answers.models()
    const live = isOffline(answering) ? null : await sites.find(site.slug)
    if (live === null) return null
    const paying = { ...live, settings: { ...site.settings, ...ceilings }, discrepancies: [] }
    const name = nameModel(answering)
    return { name, compare: (change, signal) => askAll(deps, { ...change, name, site: paying }, signal) }
  } catch (error) {
    // An unusable model or index must not hide what the offline answers say.
    log.warn({ error, siteId: site.id }, 'pull-request-model-unusable')
    return null
  }
}

function shareCeilings(
  { siteCeilings }: AnswerDeps,
  { dailyCostUsdMax, dailyTokensMax }: SiteSettings,
): Pick<SiteSettings, 'dailyCostUsdMax' | 'dailyTokensMax'> | null {
  const usd = chooseCeiling(dailyCostUsdMax, siteCeilings.usd)
  const tokens = chooseCeiling(dailyTokensMax, siteCeilings.tokens)
  if (usd === null || tokens === null) return null
  return { dailyCostUsdMax: usd * budgetShare, dailyTokensMax: Math.floor(tokens * budgetShare) }
}

async function askAll(
  deps: OpenSiteModelDeps,
  { name, site, reached, indexFolder }: IndexedChange & { name: string; site: LiveSite },
  signal: AbortSignal,
): Promise<ModelComparison> {
  const engine = createSearchEngine({ threads: 1 })
  try {
    const open = async (file: string): Promise<LiveSite> => ({
      ...site,
      index: await engine.open(join(indexFolder, file)),
    })
    const sites = { before: await open(versionNames.before), after: await open(versionNames.after) }
    const stop: { reason: 'budget' | 'failed' | null } = { reason: null }
    const ask = async (asked: ComparedQuestion): Promise<ComparedAnswer | null> => {
      if (stop.reason !== null) return null
      try {
        return await compareOne(deps, { asked, sites, reached }, signal)
      } catch (error) {
        signal.throwIfAborted()
        stop.reason ??= error instanceof BudgetSpentError ? 'budget' : 'failed'
        deps.log.warn({ error, siteId: site.id }, 'pull-request-model-stopped')
        return null
      }
    }
    const chosen = reached.reached.slice(0, questionsMax)
    const answers = (await mapConcurrently(chosen, askedAtOnce, ask)).flatMap((answer) => answer ?? [])
    const count = reached.reached.length - answers.length
    return {
      model: name,
      counts: countOutcomes(answers),
      answers: sortAnswers(answers),
      unasked: count === 0 ? null : { count, reason: stop.reason ?? 'many' },
    }
  } finally {
    await engine.close()
  }
}

/** The offline model took over, whose answers are compared already. */
class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError'
}

interface AskedOfBoth {
  asked: ComparedQuestion
  sites: { before: LiveSite; after: LiveSite }
  reached: ReachedSite
}

async function compareOne(
  deps: OpenSiteModelDeps,
  { asked, sites, reached }: AskedOfBoth,
  signal: AbortSignal,
): Promise<ComparedAnswer> {
  const before = await answer(deps, sites.before, asked, signal)
  const judged = async () => {
    const after = await answer(deps, sites.after, asked, signal)
    const failures =
      asked.test === null
        ? null
        : { before: findSideFailures(asked.test, before), after: findSideFailures(asked.test, after) }
    const { changed, moves } = reached
    const outcome = compareAnswers({ before, after, isReworded: true, changed, moves, failures })
    return { ...outcome, after: withoutQuotes(after), failures: [...(failures?.after ?? [])] }
  }
  const first = await judged()
  // A model may fail once by chance.
  const { outcome, reason, after, failures } = first.outcome === 'worse' ? await judged() : first
  const { question, origin } = asked
  return { question, origin, outcome, reason, before: withoutQuotes(before), after, failures }
}

async function answer(
  { answers, log }: OpenSiteModelDeps,
  site: LiveSite,
  { question, test }: ComparedQuestion,
  signal: AbortSignal,
): Promise<GroundedAnswer> {
  const asked = { question, version: test?.version ?? null }
  const given = await askSite({ ...answers, writes: noWrites }, { site, log }, asked, signal)
  signal.throwIfAborted()
  if (given.modelReason !== null) throw new BudgetSpentError(given.modelReason)
  const { text, verdict, sources, quotes } = given
  const cited = new Map(sources.map((source) => [source.path, source]))
  return { text, verdict: verdict ?? 'unanswered', citations: [...cited.values()], quotes }
}

function withoutQuotes({ quotes: _quotes, ...side }: GroundedAnswer) {
  return side
}
