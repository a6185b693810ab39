import { AppError } from '../../contract/app-error.ts'
import type { widgetOperations } from '../../contract/operations/widget.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { readWidgetSettings, type WidgetSettings } from '../../contract/widget-settings.ts'
import type { AuditChange } from '../../store/accounts/audit-log.ts'
import { getSiteByDomain, type Site } from '../../store/sites/sites.ts'
import { changeWidgetSettings, getWidgetSettings } from '../../store/sites/widget-settings.ts'
import { listPublicPages } from '../pages/list-public-pages.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** As long as the scripts of the widget are cached. */
const cacheControl = 'public, max-age=300'

export function createWidgetHandlers(deps: ServerDeps): Handlers<typeof widgetOperations> {
  const db = deps.store.durable

  return {
    getWidgetSetup: async ({ c, params: { domain } }) => {
      const site = await findPublicSite(deps, domain)
      const settings = readWidgetSettings(await getWidgetSettings(db, site.id))
      c.header('Cache-Control', cacheControl)
      const { supportContact: contact } = readSiteSettings(site.settings)
      return { settings, contact, key: null, problem: originProblem(c.req.header('origin')) }
    },

    getWidgetSettings: async ({ c, params }) => {
      const site = await findOwnSite(c, deps, params.id)
      return readWidgetSettings(await getWidgetSettings(db, site.id))
    },

    updateWidgetSettings: async ({ c, params, body }) => {
      const site = await findOwnSite(c, deps, params.id)
      const before = readWidgetSettings(await getWidgetSettings(db, site.id))
      const after = readWidgetSettings((await changeWidgetSettings(db, site.id, body)) ?? {})
      const target = { kind: 'site', id: site.id, name: site.slug }
      const changes = describeChanges(before, after)
      return { reply: after, audit: changes.length > 0 ? { target, changes } : null }
    },
  }
}

/**
 * A site that shows nothing to the public looks like none, whatever the reason, so that nobody can probe for names.
 *
 * @throws {AppError} `site_not_found`.
 */
async function findPublicSite({ sites, store }: ServerDeps, domain: string): Promise<Site> {
  const site = await getSiteByDomain(store.durable, domain)
  const live = site === null ? null : await sites.find(domain).catch(withoutIndex)
  if (site !== null && live !== null && (await listPublicPages(live)).length > 0) return site
  throw new AppError(
    'site_not_found',
    `There is no site ${domain.slice(0, 200)} for this page. Check data-site, and that the dashboard lists the origin of the page.`,
  )
}

function withoutIndex(error: unknown): null {
  if (error instanceof AppError && (error.code === 'site_not_ready' || error.code === 'site_not_confirmed')) return null
  throw error
}

function originProblem(origin: string | undefined) {
  const page = origin === undefined ? 'this page' : origin.slice(0, 300)
  const message = `No key of this site is for ${page}. Add its origin in the dashboard under "Put it live", or set data-key.`
  return { code: 'origin_not_allowed', message } as const
}

const valueCharsMax = 200

function describeChanges(before: WidgetSettings, after: WidgetSettings): AuditChange[] {
  const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, valueCharsMax)
  return Object.entries(after)
    .map(([field, value]) => ({ field, from: show(before[field as keyof WidgetSettings]), to: show(value) }))
    .filter(({ from, to }) => from !== to)
}
