import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { buildFeed, listChanges } from '../../sites/agent-files/changes.ts'
import { buildLlmsText, buildSectionText, writeLlmsFullText } from '../../sites/agent-files/llms-text.ts'
import { buildOpenSearch } from '../../sites/agent-files/open-search.ts'
import type { PublishedSite } from '../../sites/agent-files/published-site.ts'
import { buildSitemap, buildSitemapMarkdown } from '../../sites/agent-files/sitemap.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import { anybody } from '../pages/list-public-pages.ts'
import type { ServerDeps } from '../server-deps.ts'
import { streamTexts } from '../streams/stream-texts.ts'
import { publishSite, sendText, setCacheHeaders } from './site-replies.ts'

interface SiteFile {
  type: string
  build: (published: PublishedSite) => string
}

/** By path below the site. A site may have a page called `sitemap`, whose Markdown then is in this place. */
export const siteFiles: Readonly<Record<string, SiteFile>> = {
  'llms.txt': { type: 'text/markdown', build: buildLlmsText },
  '.well-known/llms.txt': { type: 'text/markdown', build: buildLlmsText },
  'sitemap.xml': { type: 'application/xml', build: buildSitemap },
  'sitemap.md': { type: 'text/markdown', build: buildSitemapMarkdown },
  'feed.xml': { type: 'application/atom+xml', build: buildFeed },
  'opensearch.xml': { type: 'application/opensearchdescription+xml', build: buildOpenSearch },
}

export async function sendSiteFile(c: AppContext, deps: ServerDeps, site: LiveSite, name: string): Promise<Response> {
  const file = siteFiles[name]
  if (file === undefined) throw new AppError('not_found', `There is no file ${name} on the site ${site.slug}.`)
  const published = await publishSite(deps, site)
  if (setCacheHeaders(c, site, { form: name.replaceAll('/', '-'), filesUrl: published.filesUrl }))
    return c.body(null, 304)
  return sendText(c, file.build(published), file.type)
}

const momentSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** @throws {AppError} `invalid_request` if the time cannot be read. */
export async function sendChanges(c: AppContext, deps: ServerDeps, site: LiveSite, since: string): Promise<Response> {
  const moment = momentSchema.safeParse(since)
  if (!moment.success) {
    throw new AppError('invalid_request', 'The parameter since is not a time such as 2026-10-01T12:00:00Z.')
  }
  const published = await publishSite(deps, site)
  const form = `changes-${moment.data}`
  if (setCacheHeaders(c, site, { form, filesUrl: published.filesUrl })) return c.body(null, 304)
  c.header('Access-Control-Allow-Origin', '*')
  return c.json(listChanges(published, Date.parse(moment.data)))
}

export async function sendLlmsSection(c: AppContext, deps: ServerDeps, site: LiveSite, file: string) {
  const name = file.replace(/\.txt$/, '')
  const published = await publishSite(deps, site)
  const text = file === name ? null : buildSectionText(published, name)
  if (text === null) return null
  if (setCacheHeaders(c, site, { form: `llms-${name}`, filesUrl: published.filesUrl })) return c.body(null, 304)
  return sendText(c, text)
}

export async function sendLlmsFullText(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<Response> {
  const published = await publishSite(deps, site)
  if (setCacheHeaders(c, site, { form: 'llms-full', filesUrl: published.filesUrl })) return c.body(null, 304)
  if (c.req.method === 'HEAD') return sendText(c, '')
  const text = writeLlmsFullText(published, anybody, c.req.raw.signal)
  // Read the first pages before the reply begins, so that an unreadable index yields an error rather than truncated
  // text.
  const head = await text.next()
  const first = await text.next()
  return sendText(c, head.done || first.done ? '' : streamTexts(text, head.value + first.value))
}
