import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { Reader } from '../../search/search-query.ts'
import { buildLlmsFullText, buildLlmsText } from '../../sites/llms-text.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { renderSitePage } from '../pages/render-site-page.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

/** Who comes without a key sees what everybody may see. */
const anybody: Reader = { readerGroups: [], isSignedIn: false }

const params = z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) })
const tags = ['Site pages']
const markdown = { 'text/markdown': { schema: z.string() } }

const llmsRoute = createRoute({
  method: 'get',
  path: '/sites/{domain}/llms.txt',
  tags,
  summary: 'The public pages of a site, as a list for language models',
  request: { params },
  responses: { 200: { description: 'The list.', content: markdown }, ...errorResponses(404, 503) },
})

const llmsFullRoute = createRoute({
  method: 'get',
  path: '/sites/{domain}/llms-full.txt',
  tags,
  summary: 'The public pages of a site, in full',
  request: { params },
  responses: { 200: { description: 'Every page.', content: markdown }, ...errorResponses(404, 503) },
})

const pageRoute = createRoute({
  method: 'get',
  path: '/sites/{domain}/{path}',
  tags,
  summary: 'A public page of a site',
  description: 'HTML; Markdown when the path ends in `.md` or the header `Accept` asks for `text/markdown`.',
  request: { params: params.extend({ path: z.string() }) },
  responses: {
    200: { description: 'The page.', content: { 'text/html': { schema: z.string() }, ...markdown } },
    ...errorResponses(404, 503),
  },
})

export function addSitePages(app: DocentServer, parts: ServerParts): void {
  for (const route of [llmsRoute, llmsFullRoute, pageRoute]) app.openAPIRegistry.registerPath(route)

  app.get('/sites/:domain/llms.txt', async (c) => {
    const site = await findPublicSite(parts, c.req.param('domain'))
    return sendMarkdown(c, buildLlmsText(site, await site.index.listPages(anybody)))
  })

  app.get('/sites/:domain/llms-full.txt', async (c) => {
    const site = await findPublicSite(parts, c.req.param('domain'))
    return sendMarkdown(c, await buildLlmsFullText(site, anybody))
  })

  app.get('/sites/:domain', (c) => sendPage(c, parts, c.req.param('domain'), '/'))
  app.get('/sites/:domain/:path{.+}', (c) => sendPage(c, parts, c.req.param('domain'), `/${c.req.param('path')}`))
  app.get('/', (c) => c.redirect('/sites/docs', 302))
}

async function findPublicSite(parts: ServerParts, domain: string): Promise<LiveSite> {
  const site = await parts.sites.find(domain)
  if (site === null) throw new AppError('site_not_found', `There is no site ${domain.slice(0, 200)}.`)
  return site
}

async function sendPage(c: AppContext, parts: ServerParts, domain: string, path: string): Promise<Response> {
  const site = await findPublicSite(parts, domain)
  const wantsMarkdown = path.endsWith('.md') || /text\/(markdown|plain)/.test(c.req.header('accept') ?? '')
  const pages = await site.index.listPages(anybody)
  const target = path === '/' ? (pages.find((page) => page.path === '/') ?? pages[0])?.path : path
  const page = target === undefined ? null : await site.index.readPage(target, anybody)
  if (page === null)
    throw new AppError('page_not_found', `There is no page ${path.slice(0, 200)} on the site ${site.slug}.`)
  if (wantsMarkdown) return sendMarkdown(c, page.markdown)
  c.header(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  return c.html(await renderSitePage({ site, pages, page }))
}

function sendMarkdown(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
}
