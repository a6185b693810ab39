import { isRecent } from '../../base/is-recent.ts'
import { mapConcurrently } from '../../base/map-concurrently.ts'
import { AppError } from '../../contract/app-error.ts'
import { buildOriginLlmsText, buildSitemapIndex, writeRobots } from '../../sites/agent-files/origin-files.ts'
import { listSites } from '../../store/sites/sites.ts'
import type { DocentServer } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'
import { sendSiteFile } from './site-files.ts'
import { publishSite, sendText, setHeaders } from './site-replies.ts'

/** More are left out. */
const sitesMax = 1_000

/** Listing opens every index, so it is not done for each request. */
const listedMs = 60_000

const closedPaths = [
  '/admin/',
  '/dashboard',
  '/git/',
  '/pull-requests',
  '/sign-in',
  '/sites/*?ask=',
  '/sites/*/edit?',
  '/sites/*/search?',
]

/** Files that programs look for at the origin; they cover every site that has public pages. */
export function addOriginFiles(app: DocentServer, deps: ServerDeps): void {
  const listPublished = createSiteList(deps)

  app.get('/robots.txt', async (c) => {
    const prefix = new URL(deps.baseUrl).pathname.replace(/\/$/, '')
    const sites = await listPublished()
    setHeaders(c, fileHeaders)
    const text = writeRobots({
      contentSignals: deps.contentSignals,
      disallowed: closedPaths.map((path) => prefix + path),
      sitemaps: [`${deps.baseUrl}/sitemap.xml`],
      catalogs: sites.map(({ filesUrl }) => `${filesUrl}/.well-known/ard.json`),
    })
    return sendText(c, text, 'text/plain')
  })
  app.get('/sitemap.xml', async (c) => {
    const sites = await listPublished()
    setHeaders(c, fileHeaders)
    return sendText(c, buildSitemapIndex(sites), 'application/xml')
  })
  app.get('/llms.txt', async (c) => {
    const sites = await listPublished()
    const [first, second] = sites
    if (first === undefined) throw new AppError('not_found', 'No site has public pages.')
    // Found again, because an index that was replaced meanwhile is closed.
    const only = second === undefined ? await deps.sites.find(first.slug) : null
    if (only !== null) return sendSiteFile(c, deps, only, 'llms.txt')
    setHeaders(c, fileHeaders)
    return sendText(c, buildOriginLlmsText(sites))
  })
}

const fileHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }

/** Sites that cannot be read now are left out, and so are those without public pages. */
function createSiteList(deps: ServerDeps) {
  let known: { at: number; sites: ReturnType<typeof listPublicSites> } | null = null
  return () => {
    const now = deps.clock.now()
    if (known !== null && isRecent(known.at, listedMs, now)) return known.sites
    const listed = { at: now, sites: listPublicSites(deps) }
    known = listed
    listed.sites.catch(() => known === listed && (known = null))
    return listed.sites
  }
}

async function listPublicSites(deps: ServerDeps) {
  const { items } = await listSites(deps.store.durable, { limit: sitesMax, cursor: null })
  const sites = await mapConcurrently(items, 4, async ({ slug }) => {
    const site = await deps.sites.find(slug).catch(() => null)
    return site === null ? null : { ...(await publishSite(deps, site)), slug }
  })
  return sites.filter((site) => site !== null).filter(({ pages }) => pages.length > 0)
}
