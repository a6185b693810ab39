import { hash } from 'node:crypto'
import { clientNetwork } from '../../access/client-network.ts'
import { type Limit, runCounted, consumeLimitsInOutage } from '../../access/limits/consume-limits.ts'
import { imageTypeOf } from '../../content/images/image-type.ts'
import { AppError } from '../../contract/app-error.ts'
import { queryCharsMax } from '../../contract/search.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { IndexedPage } from '../../search/search-query.ts'
import { writePageMarkdown } from '../../sites/agent-files/page-markdown.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { toErrorReply } from '../replies/error-response.ts'
import { readAcceptedType } from '../pages/accepted-type.ts'
import { assetPath } from '../pages/asset-path.ts'
import { anybody } from '../pages/list-public-pages.ts'
import { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { getBrand } from '../../store/accounts/brands.ts'
import { imageHeaders, pageHeaders } from '../pages/page-headers.ts'
import { PageTexts } from '../pages/text/page-texts.ts'
import { renderProblem } from '../pages/problem-page.ts'
import { markdownPath, renderSitePage } from '../pages/render-site-page.ts'
import { renderSearchPage } from '../pages/search-page.ts'
import { type SitePlace } from '../pages/site-frame.ts'
import { sitePath } from '../pages/site-path.ts'
import type { ServerDeps } from '../server-deps.ts'
import { sendToEditor, acceptPageFeedback } from './page-actions.ts'
import { listPageLimits } from '../requests/request-limits.ts'
import { readPageQuestion, sendPageAnswer } from './ask-page.ts'
import { addAgentFiles, rootSite } from './agent-files.ts'
import { answerMissingPage, PageNotFoundError, redirect, sendMissingPage } from './missing-page.ts'
import { sendChanges, sendLlmsFullText, sendLlmsSection, sendSiteFile, siteFiles } from './site-files.ts'
import { publishSite, sendText, setCacheHeaders, setHeaders } from './site-replies.ts'
import { refuseMcpStreams } from '../handlers/search.ts'

type SiteHandler = (c: AppContext, site: LiveSite) => Response | Promise<Response>

/** Everything under `/sites/{domain}`. */
export function addSitePages(app: DocentServer, deps: ServerDeps): void {
  const texts = new PageTexts({ renderer: new MarkdownRenderer() })
  const sitePage: SiteHandler = (c, site) => sendPage(c, deps, texts, site, `/${c.req.param('path') ?? ''}`)

  // Must precede the pages, whose pattern matches every path of a site.
  refuseMcpStreams(app)
  addAgentFiles(app, deps)
  for (const name of Object.keys(siteFiles)) {
    app.get(
      `/sites/:domain/${name}`,
      serveSite(deps, (c, site) => sendSiteFile(c, deps, site, name)),
    )
  }
  app.get(
    '/sites/:domain/llms/:file{[a-z0-9-]+\\.txt}',
    serveSite(deps, async (c, site) => {
      const file = c.req.param('file') ?? ''
      return (await sendLlmsSection(c, deps, site, file)) ?? sendPage(c, deps, texts, site, `/llms/${file}`)
    }),
  )
  app.get(
    '/sites/:domain/llms-full.txt',
    serveSite(deps, (c, site) => sendLlmsFullText(c, deps, site)),
  )
  app.get(
    '/sites/:domain/search',
    serveSite(deps, (c, site) => sendSearch(c, deps, texts, site)),
  )
  app.get(
    '/sites/:domain/changes',
    serveSite(deps, (c, site) => {
      const since = c.req.query('since')
      // A site may have a page of this name.
      return since === undefined ? sendPage(c, deps, texts, site, '/changes') : sendChanges(c, deps, site, since)
    }),
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
    serveSite(deps, (c, site) => acceptPageFeedback(c, deps, site)),
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
      if (!(error instanceof AppError)) throw error
      if (readAcceptedType(c.req.header('accept')) === 'html') return sendProblem(c, deps, error, site)
      if (site === null || !(error instanceof PageNotFoundError)) throw error
      return sendMissingPage(c, deps, site, error)
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
  const near = error instanceof PageNotFoundError ? error.near : []
  const problem = { title, message: body.error, requestId, near }
  return c.html(await renderProblem(problem, place), status)
}

async function findPlace(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<SitePlace> {
  const published = await publishSite(deps, site)
  // Pages can be read without it, as while the disk is full before the first visit.
  const key = await deps.pageKeys.find(site).catch((error: unknown) => {
    c.get('log').warn({ siteId: site.id, error }, 'page-key-unavailable')
    return null
  })
  const brand = await getBrand(deps.store.durable, site).catch(() => null)
  return { ...published, site, key, brand }
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

/** Applies to sites whose owner has revoked the public key. */
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
  const image = await sendImage(c, site, path)
  if (image !== null) return image
  const [, whole = path, part = '1'] = /^(.*)\.part-(\d{1,3})(?=\.mdx?$)/.exec(path) ?? []
  const isMarkdownPath = /\.mdx?$/.test(path)
  const page = await site.index.readPage(isMarkdownPath ? whole : path, anybody)
  if (page === null) return answerMissingPage(c, deps, site, path)
  if (isMarkdownPath || readAcceptedType(c.req.header('accept')) === 'markdown') {
    // A moved page's old address is not a second one.
    const isOther = isMarkdownPath ? !isSpelledAlike(whole, page.path) : isOtherAddress(c, path, page.path)
    if (isOther) return redirect(c, (isMarkdownPath ? markdownPath : pagePath)(site, page) + new URL(c.req.url).search)
    const question = isMarkdownPath ? readPageQuestion(c, site) : null
    if (question !== null) return sendPageAnswer(c, deps, site, { question, path: page.path })
    return sendPageMarkdown(c, deps, site, { page, part: Number(part) })
  }
  if (isOtherAddress(c, path, page.path)) return redirect(c, sitePath(site, page.path) + new URL(c.req.url).search)
  const place = await findPlace(c, deps, site)
  const { filesUrl } = place
  const shown = { page, isMarkdown: false }
  if (setCacheHeaders(c, site, { form: 'html', filesUrl, frame: frameOf(place), shown })) return c.body(null, 304)
  setHeaders(c, pageHeaders)
  const text = await texts.find(site, page, c.get('log'))
  return c.html(await renderSitePage({ ...place, page, text }))
}

/** @returns Null if no page that everybody may see shows such an image. */
async function sendImage(c: AppContext, site: LiveSite, path: string): Promise<Response | null> {
  const type = imageTypeOf(path)
  const bytes = type === null ? null : await site.index.readImage(path.slice(1), c.req.raw.signal)
  if (type === null || bytes === null) return null
  setHeaders(c, { ...imageHeaders, 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etagOf(bytes) })
  if (c.req.header('if-none-match') === etagOf(bytes)) return c.body(null, 304)
  return c.body(new Uint8Array(bytes))
}

const etagOf = (bytes: Uint8Array) => `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`

const pagePath = (site: LiveSite, { path }: Pick<IndexedPage, 'path'>) => sitePath(site, path)

async function sendPageMarkdown(
  c: AppContext,
  deps: ServerDeps,
  site: LiveSite,
  { page, part }: { page: IndexedPage; part: number },
): Promise<Response> {
  const published = await publishSite(deps, site)
  const isPlain =
    !/text\/markdown/i.test(c.req.header('accept') ?? '') && /text\/plain/i.test(c.req.header('accept') ?? '')
  const form = `${isPlain ? 'plain' : 'markdown'}${part === 1 ? '' : `-${part}`}`
  const shown = { page, isMarkdown: true }
  if (setCacheHeaders(c, site, { form, filesUrl: published.filesUrl, shown })) return c.body(null, 304)
  const text = writePageMarkdown(published, page)[part - 1]
  if (text === undefined) throw new PageNotFoundError(site, c.req.param('path') ?? '', [page])
  return sendText(c, text, isPlain ? 'text/plain' : 'text/markdown')
}

/** Whether an address of Markdown differs from that of the page in nothing that other addresses of it do. */
function isSpelledAlike(path: string, pagePath: string): boolean {
  const bare = path.replace(/\/{2,}/g, '/').replace(/(?:\.mdx?)+$/, '')
  return [bare, bare.replace(/\/index$/, '') || '/', decodePath(bare)].includes(pagePath)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What a page has around its text that changes without a new index. */
function frameOf({ key, brand }: SitePlace): string {
  return [key, brand?.version, assetPath('site.css'), assetPath('site.js')].join('\n')
}

/** Index names and trailing slashes lead to the same page, which has a single canonical URL. */
function isOtherAddress(c: AppContext, path: string, pagePath: string): boolean {
  return path !== pagePath || (path === '/' && c.req.path.endsWith('/'))
}
