import { AppError } from '../../contract/app-error.ts'
import type { AuditChange } from '../../store/accounts/audit-log.ts'
import { type ApiKey, listPublicKeys } from '../../store/accounts/keys.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { changeKey } from './change-key.ts'
import { parseOrigin } from './origins.ts'
import type { PageKeys } from './page-keys.ts'

export interface AllowOriginDeps extends StoreDeps {
  pageKeys: Pick<PageKeys, 'create'>
}

export interface AllowOriginInput {
  organizationId: string
  siteId: string
  origin: string
}

/** Most origins of a key. */
const originsMax = 100

/**
 * Lets pages of an origin use the public key of a site, which is made if there is none or an owner has revoked it.
 *
 * @throws {AppError} `invalid_request` if it is not an origin, or there are too many.
 */
export async function allowOrigin(
  deps: AllowOriginDeps,
  { origin: given, organizationId, siteId }: AllowOriginInput,
): Promise<{ key: ApiKey; changes: AuditChange[] }> {
  const parsed = parseOrigin(given)
  if ('fault' in parsed) throw new AppError('invalid_request', parsed.fault)
  const { origin } = parsed
  const keys = await listPublicKeys(deps.store.durable, siteId)
  const key = keys.find(({ purpose, revokedAt }) => purpose === 'pages' && revokedAt === null)
  if (key === undefined) {
    const input = { kind: 'assistant', purpose: 'pages', name: 'Served pages', organizationId, siteId } as const
    const { key: created } = await deps.pageKeys.create({ ...input, origins: [origin] })
    return { key: created, changes: [{ field: 'origins', from: '', to: origin }] }
  }
  if (key.origins.includes(origin)) return { key, changes: [] }
  if (key.origins.length >= originsMax)
    throw new AppError('invalid_request', `A key has at most ${originsMax} origins. Remove one on the Keys page.`)
  return changeKey(deps, key, { origins: [...key.origins, origin] })
}
