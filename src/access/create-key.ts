import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { KeyCreate } from '../contract/admin.ts'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import { type ApiKey, insertKey } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { parseIpRange } from './ip-ranges.ts'
import { generateKeySecret, hashKeySecret } from './key-secret.ts'
import { parseOrigin } from './origins.ts'

const dayMs = 86_400_000

/** What a busy documentation site has. */
const normalPerMinuteDefault = 30

export interface CreateKeyDeps {
  store: Store
  clock: Clock
  ids: IdSource
  randomBytes(size: number): Buffer
}

export interface NewKey extends KeyCreate {
  organizationId: string
  /** Already resolved to an id, when the key is bound to a site. */
  siteId?: string | null | undefined
  /** A secret that the operator chose; generated when absent. */
  secret?: string | undefined
}

/**
 * Makes a key and stores its hash.
 *
 * @returns The key and its secret, which can never be read again.
 * @throws {AppError} `invalid_request` with a detail for every fault of the options.
 */
export async function createKey(deps: CreateKeyDeps, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const faults: ErrorDetail[] = [...kindFaults(input)]
  const ipRanges = readList(input.ipRanges, 'ipRanges', faults, (text) => {
    const parsed = parseIpRange(text)
    return 'fault' in parsed ? parsed : { value: parsed.range }
  })
  const origins = readList(input.origins, 'origins', faults, (text) => {
    const parsed = parseOrigin(text)
    return 'fault' in parsed ? parsed : { value: parsed.origin }
  })
  if (faults.length > 0) {
    throw new AppError('invalid_request', `The key cannot be made: ${faults[0]?.message}`, { details: faults })
  }
  const secret = input.secret ?? generateKeySecret(input.kind, deps.randomBytes)
  const now = deps.clock.now()
  const key: ApiKey = {
    id: deps.ids.prefixed('key'),
    kind: input.kind,
    organizationId: input.organizationId,
    siteId: input.siteId ?? null,
    name: input.name,
    hint: secret.slice(-4),
    scopes: input.kind === 'assistant' ? [] : (input.scopes ?? ['read', 'write']),
    ipRanges,
    origins,
    groups: input.groups ?? [],
    session: input.session ?? 'off',
    normalPerMinute: input.normalPerMinute ?? normalPerMinuteDefault,
    expiresAt: input.expiresInDays == null ? null : now + input.expiresInDays * dayMs,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
  }
  await insertKey(deps.store.durable, { ...key, hash: hashKeySecret(secret) })
  return { key, secret }
}

/** Options that the kind of the key does not have, said instead of dropped. */
function kindFaults(input: NewKey): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  if (input.kind === 'assistant') {
    if (input.siteId == null) faults.push({ path: 'siteId', message: 'An assistant key belongs to one site: name it.' })
    if (input.scopes != null)
      faults.push({ path: 'scopes', message: 'An assistant key has no scopes: leave them out.' })
    return faults
  }
  if (input.siteId != null) faults.push({ path: 'siteId', message: 'An admin key belongs to no site: leave it out.' })
  if (input.origins != null && input.origins.length > 0) {
    faults.push({
      path: 'origins',
      message: 'An admin key never belongs in a browser, so it has no origins: leave them out.',
    })
  }
  if ((input.session ?? 'off') !== 'off') {
    faults.push({ path: 'session', message: 'An admin key has no sessions: leave them out.' })
  }
  if (input.groups != null && input.groups.length > 0) {
    faults.push({ path: 'groups', message: 'An admin key reads no pages, so it has no groups: leave them out.' })
  }
  return faults
}

function readList(
  texts: readonly string[] | null | undefined,
  path: string,
  faults: ErrorDetail[],
  read: (text: string) => { value: string } | { fault: string },
): string[] {
  const values: string[] = []
  for (const [index, text] of (texts ?? []).entries()) {
    const result = read(text)
    if ('fault' in result) faults.push({ path: `${path}.${index}`, message: result.fault })
    else values.push(result.value)
  }
  return values
}
