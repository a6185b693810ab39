import type { CodeHost } from '../../codehost/code-host.ts'
import { AppError } from '../../contract/app-error.ts'
import { getSite, listSites, type Site } from '../../store/sites/sites.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { nameCommand } from '../../config/name-command.ts'

/** What jobs edit: a site and the host of its repository. */
export interface JobSource {
  site: Site
  host: CodeHost
}

/** @returns Null if the site is gone or its repository takes no pull requests. */
export async function findSiteHost(
  { store, openHost }: Pick<AgentRequestDeps, 'store' | 'openHost'>,
  siteId: string,
): Promise<JobSource | null> {
  const site = await getSite(store.durable, siteId)
  const host = site === null ? null : await openHost(site)
  return site === null || host === null ? null : { site, host }
}

const sitesMax = 200

/**
 * Finds the source of a project: its oldest site whose repository takes pull requests. Docent's own documentation comes
 * last, so that a project with a site of its own edits that one.
 *
 * @param wanted Id or slug of a site of the project; null for the project's own choice.
 * @throws {AppError} `no_repository` (422) when none does; `invalid_request` for a site that the project does not have.
 */
export async function findJobSource(
  { store, openHost, demoRepository }: Pick<AgentRequestDeps, 'store' | 'openHost' | 'demoRepository'>,
  projectId: string,
  wanted: string | null,
): Promise<JobSource> {
  const { items } = await listSites(store.durable, { projectId, limit: sitesMax })
  const chosen = wanted === null ? items : items.filter(({ id, slug }) => id === wanted || slug === wanted)
  if (wanted !== null && chosen.length === 0) {
    const message = `is no site of the project ${projectId}. List the sites to see their slugs`
    throw new AppError('invalid_request', `"${wanted}" ${message}.`, { details: [{ path: 'site', message }] })
  }
  const rankOf = ({ source }: Site) => (source.location === demoRepository ? 1 : 0)
  for (const site of chosen.toSorted((a, b) => rankOf(a) - rankOf(b) || a.createdAt - b.createdAt)) {
    const host = await openHost(site)
    if (host !== null) return { site, host }
  }
  throw new AppError(
    'no_repository',
    `No site of the project ${projectId} is built from a repository that takes pull requests. Import one with: ${nameCommand('site add PATH')}, or connect one with its address and a token.`,
  )
}
