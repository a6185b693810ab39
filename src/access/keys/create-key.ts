import type { IdSource } from '../../base/ids.ts'
import type { KeyCreate } from '../../contract/admin.ts'
import { AppError, type ErrorDetail } from '../../contract/app-error.ts'
import { keyDefaults } from '../../contract/key-defaults.ts'
import { type ApiKey, insertKey } from '../../store/accounts/keys.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { readKeyOptions } from './key-options.ts'
import { generateKeySecret, hashKeySecret, type KeyKind } from './key-secret.ts'

export interface CreateKeyDeps extends StoreDeps {
  ids: IdSource
  randomBytes(size: number): Buffer
}

export interface NewKey extends KeyCreate {
  organizationId: string
  /** Id of the site (not its slug), if the key is bound to one. */
  siteId?: string | null | undefined
  /** Secret chosen by the operator; generated if absent. */
  secret?: string | undefined
  /** Generated if absent. */
  id?: string | undefined
}

/**
 * Creates a key and stores its hash.
 *
 * @returns The key and its secret, which cannot be recovered later.
 * @throws {AppError} `invalid_request` with a detail per fault; `conflict` if the site has a key of its pages already.
 */
export async function createKey(deps: CreateKeyDeps, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const { kind, organizationId, siteId = null, name, secret: given, id = deps.ids.prefixed('key'), ...rest } = input
  const options = readKeyOptions(deps.clock, kind, { name, ...rest }, siteFaults(kind, siteId))
  const secret = given ?? generateKeySecret(kind, deps.randomBytes)
  const purpose = kind === 'assistant' ? (options.purpose ?? 'server') : null
  const key: ApiKey = {
    id,
    kind,
    organizationId,
    siteId,
    hint: secret.slice(-4),
    scopes: kind === 'assistant' ? [] : ['read', 'write'],
    ipRanges: [],
    origins: [],
    groups: [],
    answerOptions: [],
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: deps.clock.now(),
    ...keyDefaults[purpose ?? 'server'],
    ...options,
    name,
    purpose,
  }
  if (!(await insertKey(deps.store.durable, { ...key, hash: hashKeySecret(secret) }))) {
    throw new AppError('conflict', 'There is such a key already. List the keys, and revoke that one first.')
  }
  return { key, secret }
}

function siteFaults(kind: KeyKind, siteId: string | null): ErrorDetail[] {
  if (kind === 'assistant' && siteId === null)
    return [{ path: 'siteId', message: 'An assistant key belongs to one site: name it.' }]
  if (kind === 'admin' && siteId !== null)
    return [{ path: 'siteId', message: 'An admin key belongs to no site: leave it out.' }]
  return []
}
