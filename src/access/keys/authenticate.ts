import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import { isInRanges } from './ip-ranges.ts'
import type { KeyDirectory } from './key-directory.ts'
import { type KeyKind, readKeyKind } from './key-secret.ts'
import { isAllowedOrigin, isOwnOrigin } from './origins.ts'
import { nameCommand } from '../../config/name-command.ts'

/** The parts of a request that authentication reads. */
export interface Credentials {
  /** `Authorization` header. */
  authorization: string | undefined
  /** Client address, as reported by trusted hops only. */
  address: string
  /** `Origin` header; sent by browsers only. */
  origin: string | undefined
  /** `Host` header. */
  host?: string | undefined
}

export interface AuthenticateDeps {
  keys: KeyDirectory
  clock: Clock
  /** Public URL of the service. */
  baseUrl: string
}

const where: Readonly<Record<KeyKind, string>> = {
  admin: `Create one with: ${nameCommand('key create --kind admin --name NAME')}`,
  assistant: `Create one with: ${nameCommand('key create --kind assistant --name NAME --site SITE')}`,
}

/**
 * Identifies the key of a request and checks that it may be used from there.
 *
 * Checks run from public facts to those only the key's holder may learn, so that an unknown key learns nothing except
 * that it is unknown.
 *
 * @throws {AppError} `key_missing`, `key_invalid`, `key_revoked`, `key_expired` (401), `wrong_key_kind`,
 *   `ip_not_allowed`, `origin_not_allowed` (403).
 */
export async function authenticate(deps: AuthenticateDeps, kind: KeyKind, credentials: Credentials): Promise<ApiKey> {
  const secret = readBearer(credentials.authorization, kind)
  const key = readKeyKind(secret) === null ? null : await deps.keys.find(secret)
  if (key === null)
    throw unauthorized('key_invalid', `This key is not known. Check that you copied all of it. ${where[kind]}`)
  if (key.revokedAt !== null) throw unauthorized('key_revoked', `This key was revoked. ${where[kind]}`)
  if (key.expiresAt !== null && key.expiresAt <= deps.clock.now()) {
    throw unauthorized('key_expired', `This key has expired. ${where[kind]}`)
  }
  if (key.kind !== kind) throw wrongKind(kind)
  requireAllowedPlace(key, credentials, deps.baseUrl)
  return key
}

function readBearer(authorization: string | undefined, kind: KeyKind): string {
  const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (secret !== undefined) return secret
  throw missingKeyError(kind)
}

export function missingKeyError(kind: KeyKind): AppError {
  const message = `Send an ${kind} key in the header "Authorization: Bearer <key>". ${where[kind]}`
  return unauthorized('key_missing', message)
}

function wrongKind(needed: KeyKind): AppError {
  return new AppError(
    'wrong_key_kind',
    needed === 'assistant'
      ? 'This is an admin key, which belongs on servers only. Use an assistant key (svc_dsc_…) here.'
      : 'This is an assistant key, which is public. Use an admin key (svc_…) here, and from a server only.',
  )
}

/** @throws {AppError} `ip_not_allowed`, `origin_not_allowed` (403). */
export function requireAllowedPlace(
  key: ApiKey,
  { address, origin, host }: Omit<Credentials, 'authorization'>,
  baseUrl: string,
): void {
  if (key.ipRanges.length > 0 && !isInRanges(address, key.ipRanges)) {
    throw new AppError(
      'ip_not_allowed',
      `This key may not be used from ${address}. Add the address to the key's list, or use another key.`,
    )
  }
  const isBound = key.origins.length > 0 || key.purpose === 'pages'
  const isOwn = key.purpose === 'pages' && origin !== undefined && isOwnOrigin(origin, host, baseUrl)
  if (isBound && !isOwn && !(origin !== undefined && isAllowedOrigin(origin, key.origins))) {
    const from = origin === undefined ? 'without an Origin header' : `from ${origin}`
    throw new AppError(
      'origin_not_allowed',
      `This key may not be used ${from}. Add the origin to the key's list, or use another key.`,
    )
  }
}

/** `write` implies `read`. @throws {AppError} `scope_missing` (403). */
export function requireScope(key: ApiKey, needed: 'read' | 'write'): void {
  if (key.scopes.includes('write') || key.scopes.includes(needed)) return
  throw new AppError('scope_missing', `This key may only read. Use a key with the scope ${needed}.`)
}

function unauthorized(code: 'key_missing' | 'key_invalid' | 'key_revoked' | 'key_expired', message: string): AppError {
  return new AppError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
