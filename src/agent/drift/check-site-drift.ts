import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import type { DescribedDrift } from '../../drift/describe-drift.ts'
import { listFactsFiles } from '../../sites/drift/facts-file.ts'
import { findPagePaths } from '../../sites/drift/find-page-paths.ts'
import type { LiveSites } from '../../sites/live-sites.ts'
import { type FoundDiscrepancy, replaceDiscrepancies } from '../../store/discrepancies/discrepancies.ts'
import type { DriftCheck } from '../../store/drift/drift-checks.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import { finishClaim } from '../../store/queue.ts'
import { getServedIndexGeneration } from '../../store/sites/index-generations.ts'
import { getSite, type Site } from '../../store/sites/sites.ts'
import type { DriftThread } from './drift-thread.ts'
import { openSiteProducts, type SiteProductsDeps } from './site-products.ts'

export interface CheckDriftDeps extends SiteProductsDeps {
  clock: Clock
  ids: IdSource
  sites: Pick<LiveSites, 'find' | 'forget'>
  thread: Pick<DriftThread, 'find'>
}

/**
 * Compares the products of a site with its pages and stores what became false.
 *
 * @returns False if the claim was lost; nothing was stored then.
 * @throws {AppError} with a sentence, if a repository cannot be read.
 */
export async function checkSiteDrift(deps: CheckDriftDeps, check: DriftCheck, signal: AbortSignal): Promise<boolean> {
  const site = await getSite(deps.store.durable, check.siteId)
  if (site === null) return false
  const opened = await openSiteProducts(deps, { site, check }, signal)
  if (opened === null) {
    for (const file of listFactsFiles(site.id)) await rm(join(deps.driftFolder, file), { force: true })
    const generation = await getServedIndexGeneration(deps.store.durable, site.id)
    return saveDrift(deps, check, { found: [], productOrigins: null, pagesRevision: generation?.revision ?? null })
  }
  const { file, products, pages, ...checked } = opened
  const drifts = await deps.thread.find({ file, products, pages, change: null }, signal)
  const found = await placeDrifts(deps, { site, drifts }, signal)
  return saveDrift(deps, check, { ...checked, found })
}

/** Adds the paths of pages that anybody may read. */
export async function placeDrifts(
  { sites }: Pick<CheckDriftDeps, 'sites'>,
  { site, drifts }: { site: Site; drifts: readonly DescribedDrift[] },
  signal: AbortSignal,
): Promise<DescribedDrift[]> {
  const live = drifts.length === 0 ? null : await sites.find(site.slug)
  if (live === null) return [...drifts]
  const { subdirectory } = site.source
  const paths = await findPagePaths(live, { files: drifts.map(({ page }) => page), subdirectory }, signal)
  return drifts.map(({ details, ...drift }) => {
    const path = paths.get(drift.page)
    const places = details.places.map((place) => (path === undefined ? place : { ...place, path }))
    return { ...drift, details: { ...details, places } }
  })
}

type CheckedDrift = Pick<DriftCheck, 'productOrigins' | 'pagesRevision'> & { found: readonly FoundDiscrepancy[] }

async function saveDrift(
  { store, clock, ids, sites }: CheckDriftDeps,
  check: DriftCheck,
  { found, ...checked }: CheckedDrift,
): Promise<boolean> {
  const now = clock.now()
  const isHeld = await inTransaction(store.durable, async (transaction) => {
    const change = { ...checked, checkedAt: now, failure: null }
    if ((await finishClaim(transaction, 'driftChecks', check, change)) === null) return false
    const nextId = () => ids.prefixed('dis')
    await replaceDiscrepancies(transaction, { siteId: check.siteId, kind: 'drift', found, nextId, now })
    return true
  })
  if (isHeld) sites.forget()
  return isHeld
}
