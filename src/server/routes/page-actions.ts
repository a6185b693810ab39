import { runCounted, consumeLimits } from '../../access/limits/consume-limits.ts'
import { editAddress, readForgeLocation } from '../../codehost/forge/forge-location.ts'
import { AppError } from '../../contract/app-error.ts'
import { toStorableText } from '../../contract/storable-json.ts'
import { giveFeedback } from '../../insights/give-feedback.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { BodyReading } from '../bodies/body-reading.ts'
import { anybody } from '../pages/list-public-pages.ts'
import { sitePath } from '../pages/site-path.ts'
import { readSession, requireOwnPage } from '../requests/page-session.ts'
import { listPageLimits } from '../requests/request-limits.ts'
import { hasRole } from '../requests/require-role.ts'
import type { ServerDeps } from '../server-deps.ts'

const bodyBytesMax = 16 * 1_024
const noteCharsMax = 2_000

/**
 * Stores what a reader says about a page, from a form that works without a script. Each network has one opinion of a
 * page and day.
 *
 * @throws {AppError} `origin_not_allowed`, `page_not_found`, `invalid_request`, `limit_reached`.
 */
export async function acceptPageFeedback(c: AppContext, deps: ServerDeps, site: LiveSite): Promise<Response> {
  requireOwnPage(c, deps)
  const secret = await deps.pageKeys.find(site)
  const key = secret === null ? null : await deps.keys.find(secret)
  if (key === null) throw new AppError('page_not_found', 'The pages of this site take no feedback.')
  const { path, isHelpful, note } = await readFeedback(c, deps)
  const page = await findPage(site, path)
  const address = c.get('clientAddress')
  const rateLimit = await consumeLimits(deps, listPageLimits(deps, 'feedback', { key, address }))
  const fp = deps.readerSessions.nameNetwork(address)
  const about = { siteId: site.id, threadId: null, messageId: null, path: page.path }
  const given = { ...about, fp, isHelpful, reason: null, note }
  await runCounted(deps, rateLimit, c.req.raw.signal, () => giveFeedback(deps, given))
  return c.redirect(`${sitePath(site, page.path)}#docent-thanks`, 303)
}

async function readFeedback(c: AppContext, { bodyPlaces }: ServerDeps) {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the form of the page.')
  }
  const reading = new BodyReading(c, bodyPlaces, bodyBytesMax, null)
  const form = await reading.use((body) => new URLSearchParams(Buffer.from(body.bytes).toString('utf8')))
  const helpful = form.get('helpful')
  if (helpful !== 'yes' && helpful !== 'no') throw new AppError('invalid_request', 'Say whether the page helped.')
  const note = toStorableText(form.get('note') ?? '').trim()
  return { path: form.get('path') ?? '', isHelpful: helpful === 'yes', note: note.slice(0, noteCharsMax) || null }
}

async function findPage(site: LiveSite, path: string) {
  const page = await site.index.readPage(path, anybody)
  if (page !== null) return page
  throw new AppError('page_not_found', `There is no page ${path.slice(0, 200)} on the site ${site.slug}.`)
}

/**
 * Leads to where somebody can change a page: members to a job of the agent, readers to the file on its forge if
 * everybody may read it there, or else to the feedback form.
 *
 * @throws {AppError} `page_not_found`.
 */
export async function sendToEditor(c: AppContext, deps: ServerDeps, site: LiveSite, path: string): Promise<Response> {
  const page = await findPage(site, path)
  c.header('Cache-Control', 'no-store')
  const address =
    (await findJobForm(c, deps, site, page.path)) ??
    (await findForgeEditor(deps, site, page.path)) ??
    `${sitePath(site, page.path)}#docent-missing`
  return c.redirect(address, 302)
}

async function findJobForm(c: AppContext, deps: ServerDeps, site: LiveSite, path: string): Promise<string | null> {
  const session = await readSession(c, deps)
  if (session === null || !hasRole(session.user.role, 'editor')) return null
  const search = new URLSearchParams({ site: site.slug, page: path })
  return `/dashboard/${session.user.organizationId}/jobs/new?${search}`
}

/** Null for sources that need a credential, whose address may be nobody's business. */
async function findForgeEditor(deps: ServerDeps, site: LiveSite, path: string): Promise<string | null> {
  const stored = await getSite(deps.store.durable, site.id)
  const origins = await site.index.readOrigins(path, anybody)
  if (stored === null || stored.sourceCredentialSealed !== null || origins?.file === undefined) return null
  const location = readForgeLocation(stored.source)
  return location && editAddress(location, stored.source.ref, origins.file)
}
