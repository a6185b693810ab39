import { isAbsolute } from 'node:path'
import { openRepository, type RepositoryPlaces } from '../../codehost/builtin/with-repository.ts'
import { AppError } from '../../contract/app-error.ts'
import { listContextRepositoriesOfOrganization } from '../../store/sites/context-repositories.ts'
import { findRepository, type Repository } from '../../store/hosting/repositories.ts'
import { listSites, type SiteSource } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { joinSubdirectory } from './open-source-tree.ts'
import { requireOutsideService } from './require-outside-service.ts'

export interface BuiltinSourceDeps extends RepositoryPlaces {
  store: Store
}

/**
 * Resolves a source on the built-in host to its bare repository on this machine; returns any other unchanged.
 *
 * @throws {AppError} `repository_not_found`; `invalid_request` for a source in the service's own data folder.
 */
export async function placeBuiltinSource(
  deps: BuiltinSourceDeps,
  source: SiteSource,
  signal: AbortSignal,
): Promise<SiteSource> {
  if (source.kind !== 'builtin') {
    await requireOthersFiles(deps, source)
    return source
  }
  const repository = await findRepository(deps.store.durable, source.location)
  if (repository === null) throw repositoryNotFound(source.location)
  const location = await openRepository(deps, repository, signal)
  return { ...source, kind: 'git', location, ref: source.ref ?? repository.defaultBranch }
}

/** Checked when the source is read, because a symbolic link in its path may have changed since the site was created. */
async function requireOthersFiles(deps: BuiltinSourceDeps, source: SiteSource): Promise<void> {
  const isHere = (source.kind === 'folder' || source.kind === 'git') && isAbsolute(source.location)
  if (!isHere) return
  const path = source.kind === 'folder' ? joinSubdirectory(source) : source.location
  await requireOutsideService(deps, { path, mayHold: true })
}

/**
 * Rejects a source on the built-in host that does not belong to the organization.
 *
 * @throws {AppError} `repository_not_found`, also for a repository of another organization.
 */
export async function requireOwnRepository(store: Store, source: SiteSource, organizationId: string): Promise<void> {
  if (source.kind !== 'builtin') return
  const repository = await findRepository(store.durable, source.location)
  if (repository?.organizationId !== organizationId) throw repositoryNotFound(source.location)
}

/** Most sites of one organization that are searched for users of a repository. */
const sitesMax = 10_000

/** Rejects the removal of a repository that a site needs. @throws {AppError} `conflict`. */
export async function requireUnusedRepository(store: Store, { organizationId, name }: Repository): Promise<void> {
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  const user = items.find(({ source }) => source.kind === 'builtin' && source.location === name)
  if (user !== undefined) {
    throw new AppError('conflict', `The site ${user.slug} is read from the repository ${name}. Remove the site first.`)
  }
  const contexts = await listContextRepositoriesOfOrganization(store.durable, organizationId)
  const context = contexts.find(({ source }) => source.kind === 'builtin' && source.location === name)
  if (context === undefined) return
  const slug = items.find(({ id }) => id === context.siteId)?.slug ?? context.siteId
  throw new AppError(
    'conflict',
    `The repository ${name} is the context repository ${context.name} of the site ${slug}. Remove the context repository first.`,
  )
}

function repositoryNotFound(name: string): AppError {
  return new AppError(
    'repository_not_found',
    `There is no repository ${name.slice(0, 200)} on the built-in host. List the repositories to see their names.`,
  )
}
