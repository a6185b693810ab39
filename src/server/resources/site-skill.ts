import type { SearchIndex } from '../../search/search-query.ts'
import type { AgentAddresses } from '../../sites/agent-catalog.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { type SiteSkill, writeSiteSkill } from '../../sites/site-skill.ts'
import { listPublicPages } from '../pages/list-public-pages.ts'
import { siteBase } from '../pages/site-path.ts'
import type { ServerDeps } from '../server-deps.ts'

export function agentAddresses({ baseUrl }: Pick<ServerDeps, 'baseUrl'>, site: LiveSite): AgentAddresses {
  const filesUrl = baseUrl + siteBase(site)
  return { filesUrl, mcpUrl: `${filesUrl}/mcp` }
}

const skills = new WeakMap<SearchIndex, Promise<SiteSkill>>()

/** Written once for each index, so that every outlet serves the same bytes. */
export function findSiteSkill(deps: Pick<ServerDeps, 'baseUrl'>, site: LiveSite): Promise<SiteSkill> {
  const known = skills.get(site.index)
  if (known !== undefined) return known
  const { filesUrl: markdownUrl, mcpUrl } = agentAddresses(deps, site)
  const written = listPublicPages(site).then((pages) => writeSiteSkill({ site, pages, markdownUrl, mcpUrl }))
  skills.set(site.index, written)
  written.catch(() => skills.delete(site.index))
  return written
}
