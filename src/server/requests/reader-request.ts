import type { MiddlewareHandler } from 'hono/types'
import { authenticate, missingKeyError } from '../../access/keys/authenticate.ts'
import { readReaderIdentity } from '../../access/readers/reader-identity.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { AppContext, AppEnv, ReaderRequest } from '../app-env.ts'
import { listPublicPages } from '../pages/list-public-pages.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Requires an assistant key: of the site named in the path, if there is one.
 *
 * @param isKeyOptional Whether a request without a key may use the public key of the site.
 */
export function requireReader(deps: ServerDeps, isKeyOptional = false): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const domain = c.req.param('domain') ?? null
    const isAnonymous = isKeyOptional && domain !== null && !hasKey(c)
    c.set(
      'readerRequest',
      await (isAnonymous ? readPublicRequest(c, deps, domain) : readReaderRequest(c, deps, domain)),
    )
    return next()
  }
}

/** MCP clients can send only one header, so that a reader's identity may be there instead of a key. */
const bearerIdentity = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i

function hasKey(c: AppContext): boolean {
  const authorization = c.req.header('authorization') ?? ''
  return authorization !== '' && !bearerIdentity.test(authorization)
}

/**
 * The request of a reader without a key: of anybody, or with a signed identity.
 *
 * @throws {AppError} `site_not_found`, `site_not_ready`, `reader_identity_invalid`; `key_missing` if the site has no
 *   public key, or no page for this reader.
 */
export async function readPublicRequest(c: AppContext, deps: ServerDeps, domain: string): Promise<ReaderRequest> {
  const site = await deps.sites.find(domain)
  if (site === null)
    throw new AppError('site_not_found', `There is no site ${domain.slice(0, 200)}. Check the address.`)
  const secret = await deps.pageKeys.find(site)
  const key = secret === null ? null : await deps.keys.find(secret)
  const token = c.req.header('x-docent-identity') ?? bearerIdentity.exec(c.req.header('authorization') ?? '')?.[1]
  const reader = key && (await readReader(deps, { key, site, token }))
  if (key === null || reader === null || !(await hasPage(site, reader))) throw missingKeyError('assistant')
  return { key, site, reader, isAnonymous: true }
}

async function hasPage(site: LiveSite, reader: Reader): Promise<boolean> {
  return reader.isSignedIn || (await listPublicPages(site)).length > 0
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
  const reader = await readReader(deps, { key, site, token: c.req.header('x-docent-identity') })
  deps.keys.touch(key).catch((error: unknown) => c.get('log').warn({ error }, 'key-touch-failed'))
  return { key, site, reader, isAnonymous: false }
}

async function findSite(deps: ServerDeps, key: ApiKey, domain: string | null): Promise<LiveSite> {
  const name = domain ?? (await getSite(deps.store.durable, key.siteId ?? ''))?.slug ?? ''
  const site = await deps.sites.find(name)
  if (site !== null && site.id === key.siteId) return site
  const message = `There is no site ${name.slice(0, 200)} for this key. Check the address and the key.`
  throw new AppError('site_not_found', message)
}

async function readReader(
  deps: ServerDeps,
  { key, site, token }: { key: ApiKey; site: LiveSite; token: string | undefined },
): Promise<Reader> {
  if (token === undefined) return { readerGroups: key.groups, isSignedIn: key.groups.length > 0 }
  const identity = await readReaderIdentity(token, await deps.sites.identitySecret(site.id), deps.clock)
  return { readerGroups: [...new Set([...key.groups, ...identity.groups])], isSignedIn: true }
}
