import {
  insertPrepared,
  prepareRepository,
  type PreparedRepository,
  removePrepared,
} from '../codehost/builtin/create-repository.ts'
import { gitVersion } from '../git/git-version.ts'
import { requestSync, type CreateSiteDeps } from '../sites/create-site.ts'
import { importFiles } from '../sites/sources/import-files.ts'
import { findRepository } from '../store/hosting/repositories.ts'
import { getSiteByDomain, type SiteSource, updateSite } from '../store/sites/sites.ts'
import type { RepositoryPlaces } from '../codehost/builtin/with-repository.ts'

export type DemoRepositoryDeps = Pick<CreateSiteDeps, 'store' | 'clock' | 'ids'> & RepositoryPlaces

/** The repository of the project's own documentation. */
export const demoRepositoryName = 'default/docs'

const organizationId = 'default'
const siteSlug = 'docs'
const importTimeoutMs = 60_000

/** @returns Null without a git command, which the rest of the first start does not need. */
export async function prepareDemoRepository(
  deps: DemoRepositoryDeps,
  demoFolder: string,
): Promise<PreparedRepository | null> {
  const signal = AbortSignal.timeout(importTimeoutMs)
  if (!(await gitVersion(signal)).isUsable) return null
  return prepareRepository(deps, importFiles(deps, { from: demoFolder, ref: null }), signal)
}

/**
 * Moves the demo site into a repository if git was missing at the first start. Does nothing if its source was changed.
 */
export async function moveDemoSite(deps: DemoRepositoryDeps, demoFolder: string): Promise<void> {
  const db = deps.store.durable
  const site = await getSiteByDomain(db, siteSlug)
  if (site?.source.kind !== 'folder' || site.source.location !== demoFolder) return
  if ((await findRepository(db, demoRepositoryName)) !== null) return
  const prepared = await prepareDemoRepository(deps, demoFolder)
  if (prepared === null) return
  // Of two concurrent starts, only one moves it.
  const named = { organizationId, name: demoRepositoryName, createdAt: deps.clock.now() }
  if ((await insertPrepared(db, prepared, named)) === null) return removePrepared(deps, prepared)
  await updateSite(db, site.id, { source: demoSource })
  await requestSync(deps, site.id, 'source-replaced')
}

export const demoSource: SiteSource = { kind: 'builtin', location: demoRepositoryName, ref: null, subdirectory: '' }
