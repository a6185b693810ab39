import { isAllowedOrigin, isOwnOrigin } from '../../access/keys/origins.ts'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'
import type { WidgetCheck, WidgetCheckStep } from '../../contract/widget-launch.ts'
import { checkWidgetPage } from '../../sites/widget-check/check-widget-page.ts'
import { fetchPublicPage } from '../../sites/widget-check/fetch-public-page.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Reports why a site's widget would not work on a public page. */
export async function checkWidget(
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
      return step('failed', 'The key in data-key is none of this site, or was revoked. Remove data-key.')
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
    `No key of the site may be used on ${origin}. Add it as an address of your website under "Put it live".`,
  )
}
