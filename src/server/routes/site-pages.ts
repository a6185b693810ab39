import { createHash } from 'node:crypto'
import { clientNetwork } from '../../access/client-network.ts'
import { type Limit, runCounted, consumeLimitsInOutage } from '../../access/limits/consume-limits.ts'
import { AppError } from '../../contract/app-error.ts'
import { queryCharsMax } from '../../contract/search.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { buildLlmsText, listDefaultPages, type LlmsTextInput, writeLlmsFullText } from '../../sites/llms-text.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../app-env.ts'
import { toErrorReply } from '../replies/error-response.ts'
import { apiVersion } from '../openapi.ts'
import { readAcceptedType } from '../pages/accepted-type.ts'
import { assetPath } from '../pages/asset-path.ts'
import { anybody, listPublicPages } from '../pages/list-public-pages.ts'
import { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { pageHeaders } from '../pages/page-headers.ts'
import { PageTexts } from '../pages/text/page-texts.ts'
import { renderProblem } from '../pages/problem-page.ts'
import { markdownPath, renderSitePage, writePageMarkdown } from '../pages/render-site-page.ts'
import { renderSearchPage } from '../pages/search-page.ts'
import { type SitePlace } from '../pages/site-frame.ts'
import { type ListedPage, siteBase, sitePath } from '../pages/site-path.ts'
import type { ServerDeps } from '../server-deps.ts'
import { sendToEditor, takePageFeedback } from './page-actions.ts'
import { listPageLimits } from '../requests/request-limits.ts'
import { addAgentFiles, rootSite } from './agent-files.ts'
import { refuseMcpStreams } from '../handlers/search.ts'

const textPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

type SiteHandler = (c: AppContext, site: LiveSite) => Response | Promise<Response>

/** Everything under `/sites/{domain}`. */
export function addSitePages(app: DocentServer, deps: ServerDeps): void {
  const texts = new PageTexts({ renderer: new MarkdownRenderer() })
  const llmsText: SiteHandler = (c, site) => sendLlmsText(c, deps, site)
  const sitePage: SiteHandler = (c, site) => sendPage(c, deps, texts, site, `/${c.req.param('path') ?? ''}`)

  // Must precede the pages, whose pattern matches every path of a site.
  refuseMcpStreams(app)
  addAgentFiles(app, deps)
  app.get('/sites/:domain/llms.txt', serveSite(deps, llmsText))
  app.get('/sites/:domain/.well-known/llms.txt', serveSite(deps, llmsText))
  app.get(
    '/sites/:domain/llms-full.txt',
    serveSite(deps, (c, site) => sendLlmsFullText(c, deps, site)),
  )
  app.get(
    '/sites/:domain/search',
    serveSite(deps, (c, site) => sendSearch(c, deps, texts, site)),
  )
  app.get(
    '/sites/:domain/edit',
    serveSite(deps, (c, site) => {
      const path = c.req.query('page')
      // A site may have a page of this name.
      return path === undefined ? sendPage(c, deps, texts, site, '/edit') : sendToEditor(c, deps, site, path)
    }),
  )
  app.post(
    '/sites/:domain/feedback',
    serveSite(deps, (c, site) => takePageFeedback(c, deps, site)),
  )
  app.get('/sites/:domain', serveSite(deps, sitePage))
  app.get('/sites/:domain/', serveSite(deps, sitePage))
  app.get('/sites/:domain/:path{.+}', serveSite(deps, sitePage))
  app.get('/', (c) => c.redirect(`/sites/${rootSite}`, 302))
}

/** Finds the site. Reports errors to browsers as a page and to programs as the error body. */
function serveSite(deps: ServerDeps, handle: SiteHandler): (c: AppContext) => Promise<Response> {
  return async (c) => {
    const domain = c.req.param('domain') ?? ''
    let site: LiveSite | null = null
    try {
      site = await deps.sites.find(domain)
      if (site === null) {
        throw new AppError('site_not_found', `There is no site ${domain.slice(0, 200)}. Check the address.`)
      }
      return await handle(c, site)
    } catch (error) {
      if (!(error instanceof AppError) || readAcceptedType(c.req.header('accept')) !== 'html') throw error
      return sendProblem(c, deps, error, site)
    }
  }
}

async function sendProblem(c: AppContext, deps: ServerDeps, error: AppError, site: LiveSite | null): Promise<Response> {
  const requestId = c.get('requestId')
  const { status, headers, body } = toErrorReply(error, requestId)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  setHeaders(c, { ...pageHeaders, 'Cache-Control': 'no-store', Vary: 'Accept' })
  const title = status === 404 ? 'Page not found' : 'This page cannot be shown'
  // If the list cannot be read either, show the error without it.
  const place = site === null ? null : await findPlace(c, deps, site).catch(() => null)
  const missingPath = error.code === 'page_not_found' ? c.req.param('path') : undefined
  const problem = { title, message: body.error, requestId, ...(missingPath && { missingPath: `/${missingPath}` }) }
  return c.html(await renderProblem(problem, place), status)
}

async function findPlace(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<SitePlace> {
  const pages = await listPublicPages(site)
  // Pages can be read without it, as while the disk is full before the first visit.
  const key = await deps.pageKeys.find(site).catch((error: unknown) => {
    c.get('log').warn({ siteId: site.id, error }, 'page-key-unavailable')
    return null
  })
  return { site, pages, key }
}

async function sendLlmsText(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<Response> {
  if (setCacheHeaders(c, site, 'llms')) return c.body(null, 304)
  return sendMarkdown(c, buildLlmsText(await readLlmsInput(deps, site)))
}

async function sendLlmsFullText(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<Response> {
  if (setCacheHeaders(c, site, 'llms-full')) return c.body(null, 304)
  if (c.req.method === 'HEAD') return sendMarkdown(c, '')
  const text = writeLlmsFullText(await readLlmsInput(deps, site), anybody, c.req.raw.signal)
  // Read the first page before the reply begins, so that an unreadable index yields an error rather than truncated
  // text.
  const first = await text.next()
  return sendMarkdown(c, first.done ? '' : streamText(first.value, text))
}

function streamText(first: string, rest: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(first)),
    async pull(controller) {
      const next = await rest.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: () => void rest.return(),
  })
}

async function readLlmsInput({ baseUrl }: ServerDeps, site: LiveSite): Promise<LlmsTextInput> {
  return { site, pages: await listPublicPages(site), markdownUrl: baseUrl + siteBase(site) }
}

async function sendSearch(c: AppContext, deps: ServerDeps, texts: PageTexts, site: LiveSite): Promise<Response> {
  const given = c.req.query('q')
  const place = await findPlace(c, deps, site)
  // A site may have a page of this name; a search has a query.
  if (given === undefined && place.pages.some(({ path }) => path === '/search'))
    return sendPage(c, deps, texts, site, '/search')
  const query = (given ?? '').trim().slice(0, queryCharsMax)
  const passages = query === '' ? [] : await searchPublicPages(c, deps, place, query)
  setHeaders(c, { ...pageHeaders, 'Cache-Control': 'no-store' })
  return c.html(await renderSearchPage({ ...place, query, passages }))
}

/** Counts as a search with the site's public key. @throws {AppError} `limit_reached`. */
async function searchPublicPages(c: AppContext, deps: ServerDeps, { site, key: secret }: SitePlace, text: string) {
  const address = c.get('clientAddress')
  const key = secret === null ? null : await deps.keys.find(secret)
  const limits = key === null ? [addressSearchLimit(deps, address)] : listPageLimits(deps, 'search', { key, address })
  const rateLimit = await consumeLimitsInOutage(deps, limits)
  setHeaders(c, rateLimit)
  const { signal } = c.req.raw
  const search = { text, limit: 20, filter: {}, ...anybody }
  return runCounted(deps, rateLimit, signal, () => site.index.search(search, signal))
}

/** For sites whose owner has revoked the public key. */
function addressSearchLimit({ limits }: ServerDeps, address: string): Limit {
  const subject = clientNetwork(address)
  return { name: 'search-ip', subject, window: 'hour', max: limits.searchPerHour, whose: `The address ${subject}` }
}

async function sendPage(
  c: AppContext,
  deps: ServerDeps,
  texts: PageTexts,
  site: LiveSite,
  path: string,
): Promise<Response> {
  const isMarkdownPath = /\.mdx?$/.test(path)
  const wantsMarkdown = isMarkdownPath || readAcceptedType(c.req.header('accept')) === 'markdown'
  const page = await site.index.readPage(path, anybody)
  if (page === null) return redirectToFirstPage(c, site, await listPublicPages(site), path)
  const address = sitePath(site, page.path)
  if (!isMarkdownPath && isOtherAddress(c, path, page.path)) return redirect(c, address)
  if (wantsMarkdown) {
    if (setCacheHeaders(c, site, 'markdown')) return c.body(null, 304)
    setHeaders(c, { Link: linkTo(site, { page, isMarkdown: true }) })
    return sendMarkdown(c, writePageMarkdown(site, page))
  }
  const place = await findPlace(c, deps, site)
  if (setCacheHeaders(c, site, 'html', frameOf(place))) return c.body(null, 304)
  setHeaders(c, { ...pageHeaders, Link: linkTo(site, { page, isMarkdown: false }) })
  const text = await texts.find(site, page, c.get('log'))
  return c.html(await renderSitePage({ ...place, page, text }))
}

/** What a page has around its text that changes without a new index. */
function frameOf({ key }: SitePlace): string {
  return [key, assetPath('site.css'), assetPath('site.js')].join('\n')
}

/**
 * Not every site has a page at its root; visitors then start at the first page. @throws {AppError} `page_not_found`.
 */
function redirectToFirstPage(c: AppContext, site: LiveSite, pages: readonly ListedPage[], path: string): Response {
  const [first] = path === '/' ? listDefaultPages(site, pages) : []
  if (first !== undefined) return c.redirect(sitePath(site, first.path), 302)
  throw new AppError(
    'page_not_found',
    `There is no page ${path.slice(0, 200)} on the site ${site.slug}. Browse the pages or search for it.`,
  )
}

/** Index names and trailing slashes lead to the same page, which has a single canonical URL. */
function isOtherAddress(c: AppContext, path: string, pagePath: string): boolean {
  return path !== pagePath || (path === '/' && c.req.path.endsWith('/'))
}

function redirect(c: AppContext, address: string): Response {
  return c.redirect(`${address}${new URL(c.req.url).search}`, 301)
}

function sendMarkdown(c: AppContext, text: string | ReadableStream<Uint8Array>): Response {
  setHeaders(c, { 'Content-Type': 'text/markdown; charset=utf-8', 'Content-Security-Policy': textPolicy })
  return typeof text === 'string' ? c.body(text, 200) : c.body(text, 200)
}

type Representation = 'html' | 'markdown' | 'llms' | 'llms-full'

/**
 * Lets clients cache but revalidate every time: a page removed from the index disappears for everyone immediately.
 *
 * @returns Whether the client's copy is current.
 */
function setCacheHeaders(c: AppContext, site: LiveSite, representation: Representation, frame = ''): boolean {
  const about = [site.generation.id, site.slug, site.name, site.url, apiVersion, frame].join('\n')
  const etag = `W/"${createHash('sha256').update(about).digest('base64url').slice(0, 22)}-${representation}"`
  setHeaders(c, {
    ETag: etag,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-Llms-Txt': `${siteBase(site)}/llms.txt`,
    Link: linkTo(site, null),
  })
  const known = c.req.header('if-none-match')?.split(',') ?? []
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2))
}

/** Where programs find the site as text, and the other representation of a page. */
function linkTo(site: LiveSite, shown: { page: Pick<ListedPage, 'path'>; isMarkdown: boolean } | null): string {
  const base = siteBase(site)
  const links = [`<${base}/llms.txt>; rel="llms-txt"`, `<${base}/llms-full.txt>; rel="llms-full-txt"`]
  if (shown === null) return links.join(', ')
  const { page, isMarkdown } = shown
  const other = isMarkdown
    ? `<${sitePath(site, page.path)}>; rel="canonical"`
    : `<${markdownPath(site, page)}>; rel="alternate"; type="text/markdown"`
  return [...links, other].join(', ')
}

function setHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}
