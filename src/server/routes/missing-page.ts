import { AppError } from '../../contract/app-error.ts'
import type { FoundAddress, NearPage } from '../../search/search-query.ts'
import { cutLine, linkText, listDefaultPages, markdownUrl, pageUrl } from '../../sites/agent-files/published-site.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import { anybody } from '../pages/list-public-pages.ts'
import { markdownPath } from '../pages/render-site-page.ts'
import { siteBase, sitePath } from '../pages/site-path.ts'
import { toErrorReply } from '../replies/error-response.ts'
import type { ServerDeps } from '../server-deps.ts'
import { publishSite, sendText, setHeaders, writeLinks } from './site-replies.ts'

/** Nothing is at an address, and these pages are the nearest. */
export class PageNotFoundError extends AppError {
  readonly near: readonly NearPage[]

  constructor(site: Pick<LiveSite, 'slug'>, path: string, near: readonly NearPage[]) {
    const message = `There is no page ${path.slice(0, 200)} on the site ${site.slug}. Browse the pages or search for it.`
    super('page_not_found', message)
    this.near = near
  }
}

/** Files for programs that are asked for elsewhere than they are. */
const wrongFiles: readonly [asked: RegExp, file: string][] = [
  [/\/llms-full\.txt$/i, 'llms-full.txt'],
  [/\/llms?(?:-(?:small|mini|ctx|medium))?\.txt$/i, 'llms.txt'],
  [/\/sitemap(?:[-_]index|-\d+)?\.xml$/i, 'sitemap.xml'],
  [/\/sitemap\.(?:md|txt)$/i, 'sitemap.md'],
]

/**
 * Redirects to where an address certainly leads, below a site.
 *
 * @throws {PageNotFoundError} with the nearest pages otherwise.
 */
export async function answerMissingPage(c: AppContext, deps: ServerDeps, site: LiveSite, path: string) {
  if (path === '/') return redirectToFirstPage(c, deps, site)
  const file = wrongFiles.find(([asked]) => asked.test(path))?.[1]
  if (file !== undefined) return redirect(c, `${siteBase(site)}/${file}`)
  const found = await site.index.findAddress(path, anybody, c.req.raw.signal)
  if (found.kind === 'unknown') throw new PageNotFoundError(site, path, found.near)
  return redirect(c, locate(site, found, /\.mdx?$/i.test(path)) + new URL(c.req.url).search)
}

function locate(site: LiveSite, found: Exclude<FoundAddress, { kind: 'unknown' }>, isMarkdown: boolean): string {
  if (found.kind === 'elsewhere') return found.url
  return isMarkdown ? markdownPath(site, found) : `${sitePath(site, found.path)}${encodeURI(found.anchor)}`
}

/** Clients ask again each time, because a page may appear at the address. */
export function redirect(c: AppContext, address: string): Response {
  setHeaders(c, { 'Cache-Control': 'no-cache', Vary: 'Accept' })
  return c.redirect(address, 308)
}

/** Not every site has a page at its root; visitors then start at the first page. */
async function redirectToFirstPage(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<Response> {
  const [first] = listDefaultPages(await publishSite(deps, site))
  if (first === undefined) throw new PageNotFoundError(site, '/', [])
  return c.redirect(sitePath(site, first.path), 302)
}

const titleCharsMax = 100
const aboutCharsMax = 80

/** The error for programs: Markdown for those that read pages, JSON for others. */
export function sendMissingPage(c: AppContext, deps: ServerDeps, site: LiveSite, error: PageNotFoundError): Response {
  const published = { filesUrl: deps.baseUrl + siteBase(site) }
  const { filesUrl } = published
  setHeaders(c, { 'Cache-Control': 'no-store', Vary: 'Accept', Link: writeLinks(published) })
  const near = error.near.map(({ path, title, description }) => ({
    title: cutLine(title, titleCharsMax),
    about: cutLine(description, aboutCharsMax),
    url: pageUrl(published, path),
    markdownUrl: markdownUrl(published, path),
  }))
  if (!isForReader(c)) {
    const { status, body } = toErrorReply(error, c.get('requestId'))
    return c.json(
      {
        ...body,
        suggestions: near.map(({ title, url, markdownUrl: markdown }) => ({ title, url, markdownUrl: markdown })),
      },
      status,
    )
  }
  const asked = cutLine(decodePath(c.req.param('path') ?? ''), 200).replaceAll('`', '')
  const lines = near.map(({ title, about, ...page }) => {
    return `- [${linkText(title)}](${page.markdownUrl})${about === '' ? '' : `: ${about}`}\n`
  })
  const nearest = lines.length === 0 ? '' : `The nearest pages:\n\n${lines.join('')}\n`
  const text = `# Page not found\n\nThere is no page \`/${asked}\` here.\n\n${nearest}Ways on:\n\n- [All pages](${filesUrl}/llms.txt), [as a tree](${filesUrl}/sitemap.md)\n- Search: ${filesUrl}/search?q=WORDS\n`
  const reply = sendText(c, text)
  return new Response(reply.body, { status: 404, headers: reply.headers })
}

/** Whether the client asks for the Markdown of pages, by the address or by what it accepts. */
function isForReader(c: AppContext): boolean {
  const accept = c.req.header('accept') ?? ''
  if (/application\/(?:[\w.-]+\+)?json/i.test(accept)) return false
  return /text\/(?:markdown|plain)/i.test(accept) || /\.(?:mdx?|txt)$/i.test(c.req.path)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
