import { weekMs } from '../../base/durations.ts'
import { allowOrigin } from '../../access/keys/allow-origin.ts'
import { isAllowedOrigin, isOwnOrigin } from '../../access/keys/origins.ts'
import { AppError } from '../../contract/app-error.ts'
import type { widgetOperations } from '../../contract/operations/widget.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { readWidgetSettings, type WidgetSettings, type WidgetSetup } from '../../contract/widget-settings.ts'
import type { AuditChange } from '../../store/accounts/audit-log.ts'
import { getBrand } from '../../store/accounts/brands.ts'
import { listPublicKeys } from '../../store/accounts/keys.ts'
import { listAskingOrigins } from '../../store/answers/asking-origins.ts'
import { getSiteByDomain, type Site } from '../../store/sites/sites.ts'
import { changeWidgetSettings, getWidgetSettings } from '../../store/sites/widget-settings.ts'
import type { AppContext } from '../app-env.ts'
import { listPublicPages } from '../pages/list-public-pages.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'
import type { WidgetCheck, WidgetCheckStep } from '../../contract/widget-launch.ts'
import { fetchPublicPage } from '../../sites/widget-check/fetch-public-page.ts'

/** As long as the scripts of the widget are cached. */
const cacheControl = 'public, max-age=300'

/** How far back questions show that an origin is in use. */
const askedWithinMs = weekMs

export function createWidgetHandlers(deps: ServerDeps): Handlers<typeof widgetOperations> {
  const db = deps.store.durable

  return {
    getWidgetSetup: async ({ c, params: { domain } }) => {
      const { site, key, problem } = await findSetup(c, deps, domain)
      const settings = readWidgetSettings(await getWidgetSettings(db, site.id))
      settings.accentLight ??= (await getBrand(db, site))?.color ?? null
      // People reload the page as soon as they have fixed a problem.
      c.header('Cache-Control', problem === null ? cacheControl : 'no-cache')
      const { supportContact: contact, handOver } = readSiteSettings(site.settings)
      return { settings, contact, handOver, key, problem }
    },

    getWidgetSettings: async ({ site }) => readWidgetSettings(await getWidgetSettings(db, site.id)),

    updateWidgetSettings: async ({ body, site }) => {
      const before = readWidgetSettings(await getWidgetSettings(db, site.id))
      const after = readWidgetSettings((await changeWidgetSettings(db, site.id, body)) ?? {})
      const changes = describeChanges(before, after)
      return { reply: after, audit: changes.length > 0 ? { target: targetOf(site), changes } : null }
    },

    listWidgetOrigins: ({ site }) => listOrigins(deps, site),

    addWidgetOrigin: async ({ c, body, site }) => {
      const input = { ...body, siteId: site.id, organizationId: c.get('organizationId') }
      const { changes } = await allowOrigin(deps, input)
      deps.keys.forget()
      deps.pageKeys.forget()
      const audit = changes.length > 0 ? { target: targetOf(site), changes } : null
      return { reply: () => listOrigins(deps, site), audit }
    },

    checkWidget: ({ c, body, site }) => checkWidget(c, deps, site, body.url),
  }
}

/**
 * A site that shows nothing to the public looks like none, whatever the reason, so that nobody can probe for names,
 * except to the pages that its owner has named.
 *
 * @throws {AppError} `site_not_found`.
 */
async function findSetup(
  c: AppContext,
  deps: ServerDeps,
  domain: string,
): Promise<Pick<WidgetSetup, 'key' | 'problem'> & { site: Site }> {
  const origin = c.req.header('origin')
  const isOwn = origin === undefined || isOwnOrigin(origin, c.req.header('host'), deps.baseUrl)
  const site = await getSiteByDomain(deps.store.durable, domain)
  const ownersKey = site === null || isOwn ? null : await deps.pageKeys.findFor(site, origin)
  if (site !== null && ownersKey !== null) return { site, key: ownersKey, problem: null }
  if (site === null || !(await hasPublicPages(deps, domain))) throw missingSite(domain)
  const key = isOwn ? await deps.pageKeys.find(site) : null
  return { site, key, problem: key !== null ? null : isOwn ? revokedProblem : originProblem(origin) }
}

async function hasPublicPages({ sites }: ServerDeps, domain: string): Promise<boolean> {
  const live = await sites.find(domain).catch((error: unknown) => {
    if (error instanceof AppError && unreadyCodes.has(error.code)) return null
    throw error
  })
  return live !== null && (await listPublicPages(live)).length > 0
}

const unreadyCodes: ReadonlySet<string> = new Set(['site_not_ready', 'site_not_confirmed'])

function missingSite(domain: string): AppError {
  const message = `There is no site ${domain.slice(0, 200)} for this page. Check data-site, and that the origin of the page is listed in the dashboard under "Put it live".`
  return new AppError('site_not_found', message)
}

function originProblem(origin: string) {
  const message = `No key of this site is for pages of ${origin.slice(0, 300)}. Add this origin in the dashboard under "Put it live", or set data-key.`
  return { code: 'origin_not_allowed', message } as const
}

const revokedProblem = {
  code: 'key_revoked',
  message:
    'The public key of this site was revoked or has expired. Create one with the purpose "pages", or set data-key.',
} as const

async function listOrigins({ store, clock }: ServerDeps, { id }: Site) {
  const now = clock.now()
  const [keys, asking] = await Promise.all([
    listPublicKeys(store.durable, id),
    listAskingOrigins(store.durable, { siteId: id, since: now - askedWithinMs }),
  ])
  const usable = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? Infinity) > now)
  const origins = [...new Set(usable.flatMap((key) => key.origins))]
  const findAsked = (origin: string) => asking.find((each) => isAllowedOrigin(each.origin, [origin]))
  return { items: origins.map((origin) => ({ origin, askedAt: findAsked(origin)?.askedAt ?? null })) }
}

function targetOf({ id, slug }: Site) {
  return { kind: 'site', id, name: slug }
}

const valueCharsMax = 200

function describeChanges(before: WidgetSettings, after: WidgetSettings): AuditChange[] {
  const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, valueCharsMax)
  return Object.entries(after)
    .map(([field, value]) => ({ field, from: show(before[field as keyof WidgetSettings]), to: show(value) }))
    .filter(({ from, to }) => from !== to)
}

/** Reports why a site's widget would not work on a public page. */
async function checkWidget(
  c: AppContext,
  deps: ServerDeps,
  { slug, hostnames, ...site }: Site,
  address: string,
): Promise<WidgetCheck> {
  const fetchGuarded = createGuardedFetch(deps)
  const page = await fetchPublicPage(fetchGuarded, address, c.req.raw.signal)
  if ('state' in page) {
    const { origin } = new URL(address)
    return { origin, steps: [page, await checkKey(c, deps, site, { origin, key: null })] }
  }
  const isOwn = ({ origin }: URL) => isOwnOrigin(origin, c.req.header('host'), deps.baseUrl)
  const script = `${deps.baseUrl}/widget.js`
  // Loads the HTML parser.
  const { checkWidgetPage } = await import('../../sites/widget-check/check-widget-page.ts')
  const { steps, key } = checkWidgetPage(page, { script, isOwn, siteNames: [slug, ...hostnames] })
  const fetched = { name: 'page', state: 'passed', message: 'The page is public.' } as const
  const { origin } = page.url
  return { origin, steps: [fetched, ...steps, await checkKey(c, deps, site, { origin, key })] }
}

/** @param tag Origin of the page, and the key in its tag, which takes precedence over those of the site. */
async function checkKey(
  c: AppContext,
  { baseUrl, keys, pageKeys }: ServerDeps,
  site: Pick<Site, 'id' | 'projectId'>,
  { origin, key: given }: { origin: string; key: string | null },
): Promise<WidgetCheckStep> {
  const step = (state: WidgetCheckStep['state'], message: string) => ({ name: 'key', state, message }) as const
  if (given !== null) {
    const key = await keys.find(given)
    if (key === null || key.siteId !== site.id || key.revokedAt !== null)
      return step('failed', 'The key in data-key is not a key of this site, or was revoked. Remove data-key.')
    const isAllowed = key.origins.length === 0 || isAllowedOrigin(origin, key.origins)
    if (isAllowed) return step('passed', `The key in data-key may be used on ${origin}.`)
    return step(
      'failed',
      `The key in data-key may not be used on ${origin}. Add this origin to the key, or remove data-key.`,
    )
  }
  const isOwn = isOwnOrigin(origin, c.req.header('host'), baseUrl)
  const key = isOwn ? await pageKeys.find(site) : await pageKeys.findFor(site, origin)
  if (key !== null) return step('passed', `A key of the site may be used on ${origin}.`)
  return step(
    'failed',
    `No key of the site may be used on ${origin}. Add it in the dashboard under "Put it live", as an address of your website.`,
  )
}
