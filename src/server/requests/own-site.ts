import { AppError } from '../../contract/app-error.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getSite, getSiteByDomain, type Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Finds a site of the request's organization by id or slug.
 *
 * @throws {AppError} `site_not_found`, also if it belongs to another organization.
 */
export async function findOwnSite(
  c: AppContext,
  { store }: Pick<ServerDeps, 'store'>,
  idOrSlug: string,
): Promise<Site> {
  const site = (await getSite(store.durable, idOrSlug)) ?? (await getSiteByDomain(store.durable, idOrSlug))
  const project = site === null ? null : await getProject(store.durable, site.projectId)
  if (site !== null && project?.organizationId === c.get('organizationId')) return site
  throw new AppError(
    'site_not_found',
    `There is no site ${idOrSlug.slice(0, 200)}. List the sites to see their ids and slugs.`,
  )
}
