import { createHash } from 'node:crypto'
import { readSiteSettings } from '../../contract/site-settings.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { markdownUrl, pageUrl, type PublishedSite } from '../../sites/agent-files/published-site.ts'
import type { AppContext } from '../app-env.ts'
import { apiVersion } from '../openapi.ts'
import { listPublicPages } from '../pages/list-public-pages.ts'
import { type ListedPage, siteBase } from '../pages/site-path.ts'
import type { ServerDeps } from '../server-deps.ts'

const textPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The site as Docent serves it to everybody. */
export async function publishSite({ baseUrl }: Pick<ServerDeps, 'baseUrl'>, site: LiveSite): Promise<PublishedSite> {
  const filesUrl = baseUrl + siteBase(site)
  const { answersByAddress } = readSiteSettings(site.settings)
  return { site, pages: await listPublicPages(site), filesUrl, imagesUrl: filesUrl, answersByAddress }
}

export interface Representation {
  /** Different for every form of an address. */
  form: string
  filesUrl: string
  /** What surrounds a page and changes without a new index. */
  frame?: string
  shown?: { page: Pick<ListedPage, 'path'>; isMarkdown: boolean }
}

/**
 * Lets clients cache but revalidate every time: a page removed from the index disappears for everyone immediately.
 *
 * @returns Whether the client's copy is current.
 */
export function setCacheHeaders(c: AppContext, site: LiveSite, representation: Representation): boolean {
  const { form, filesUrl, frame = '' } = representation
  const { answersByAddress } = readSiteSettings(site.settings)
  const { generation, slug, name, url } = site
  const about = [generation.id, slug, name, url, filesUrl, apiVersion, answersByAddress, frame].join('\n')
  const etag = `W/"${createHash('sha256').update(about).digest('base64url').slice(0, 22)}-${form}"`
  setHeaders(c, {
    ETag: etag,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-Llms-Txt': `${siteBase(site)}/llms.txt`,
    Link: writeLinks(representation),
  })
  const known = c.req.header('if-none-match')?.split(',') ?? []
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2))
}

/** Where programs find the site as text, and the other form of a page. The first relation is the standard's. */
export function writeLinks({ filesUrl, shown }: Pick<Representation, 'filesUrl' | 'shown'>): string {
  const links = [
    `<${filesUrl}/llms.txt>; rel="describedby"; type="text/markdown"`,
    `<${filesUrl}/llms.txt>; rel="llms-txt"`,
    `<${filesUrl}/llms-full.txt>; rel="llms-full-txt"`,
    `<${filesUrl}/.well-known/ai-catalog.json>; rel="ai-catalog"`,
    `<${filesUrl}/.well-known/ard.json>; rel="ard"`,
  ]
  if (shown === undefined) return links.join(', ')
  const { path } = shown.page
  const other = shown.isMarkdown
    ? `<${pageUrl({ filesUrl }, path)}>; rel="canonical"`
    : `<${markdownUrl({ filesUrl }, path)}>; rel="alternate"; type="text/markdown"`
  return [...links, other].join(', ')
}

/** @param type `text/markdown` unless the client wants another one. */
export function sendText(c: AppContext, text: string | ReadableStream<Uint8Array>, type = 'text/markdown'): Response {
  setHeaders(c, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': textPolicy })
  return typeof text === 'string' ? c.body(text, 200) : c.body(text, 200)
}

export function setHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}
