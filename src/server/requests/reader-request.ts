import type { MiddlewareHandler } from 'hono/types'
import { authenticate } from '../../access/keys/authenticate.ts'
import { readReaderIdentity } from '../../access/readers/reader-identity.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { AppContext, AppEnv, ReaderRequest } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Requires an assistant key: of the site named in the path, if there is one. */
export function requireReader(deps: ServerDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('readerRequest', await readReaderRequest(c, deps, c.req.param('domain') ?? null))
    return next()
  }
}

/**
 * Identifies the key, the site and the reader.
 *
 * A key of another site gets the same error as for an unknown site, so that it cannot probe which sites exist.
 *
 * @param domain Slug or registered host name of the site; null for the site of the key.
 * @throws {AppError} as `authenticate` does; `site_not_found`, `site_not_ready`, `reader_identity_invalid`.
 */
async function readReaderRequest(c: AppContext, deps: ServerDeps, domain: string | null): Promise<ReaderRequest> {
  const key = await authenticate(deps, 'assistant', {
    authorization: c.req.header('authorization'),
    address: c.get('clientAddress'),
    origin: c.req.header('origin'),
    host: c.req.header('host'),
  })
  const site = await findSite(deps, key, domain)
  const reader = await readReader(c, deps, key, site)
  deps.keys.touch(key).catch((error: unknown) => c.get('log').warn({ error }, 'key-touch-failed'))
  return { key, site, reader }
}

async function findSite(deps: ServerDeps, key: ApiKey, domain: string | null): Promise<LiveSite> {
  const name = domain ?? (await getSite(deps.store.durable, key.siteId ?? ''))?.slug ?? ''
  const site = await deps.sites.find(name)
  if (site !== null && site.id === key.siteId) return site
  const message = `There is no site ${name.slice(0, 200)} for this key. Check the address and the key.`
  throw new AppError('site_not_found', message)
}

async function readReader(c: AppContext, deps: ServerDeps, key: ApiKey, site: LiveSite): Promise<Reader> {
  const token = c.req.header('x-docent-identity')
  if (token === undefined) return { readerGroups: key.groups, isSignedIn: key.groups.length > 0 }
  const identity = await readReaderIdentity(token, await deps.sites.identitySecret(site.id), deps.clock)
  return { readerGroups: [...new Set([...key.groups, ...identity.groups])], isSignedIn: true }
}
