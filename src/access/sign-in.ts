import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { Store } from '../store/store.ts'
import {
  deleteSession,
  findOwner,
  findSessionUser,
  insertSession,
  insertSignInLink,
  insertUser,
  takeSignInLink,
  type User,
} from '../store/users.ts'

export interface SignInDeps {
  store: Store
  clock: Clock
  ids: IdSource
  randomBytes(size: number): Buffer
}

/** Who is signed in, and what the forms of the session carry. */
export interface Session {
  user: User
  /** Proves that a form comes from a page of this session. */
  formToken: string
}

const tokenBytes = 32
const tokenPattern = /^[\w-]{43}$/

/** Long enough to walk over to the browser, short enough that a line in an old log opens nothing. */
const linkLifetimeMs = 60 * 60_000

export const sessionLifetimeMs: number = 14 * 24 * 60 * 60_000

/** Where a link token is used. A query is not in the log, unlike a path. */
export function ownerLinkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/sign-in?token=${token}`
}

/**
 * Makes a link token that signs the owner of an organization in, once. The owner is made with the first link.
 *
 * @returns The token, which can never be read again.
 */
export async function createOwnerLink(
  { store, clock, ids, randomBytes }: SignInDeps,
  organizationId: string,
): Promise<{ token: string; expiresAt: number }> {
  const now = clock.now()
  const user =
    (await findOwner(store.durable, organizationId)) ?? (await makeOwner({ store, ids }, organizationId, now))
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = now + linkLifetimeMs
  await insertSignInLink(store.durable, { hash: hashToken(token), userId: user.id, createdAt: now, expiresAt })
  return { token, expiresAt }
}

async function makeOwner(
  { store, ids }: Pick<SignInDeps, 'store' | 'ids'>,
  organizationId: string,
  createdAt: number,
): Promise<User> {
  const user: User = { id: ids.prefixed('user'), organizationId, name: 'Owner', role: 'owner', createdAt }
  await insertUser(store.durable, user)
  return user
}

/**
 * Uses a link up and begins a session.
 *
 * @returns The session's secret, for a cookie; null for a link that was used, has expired or never was.
 */
export async function signIn({ store, clock, randomBytes }: SignInDeps, linkToken: string): Promise<string | null> {
  if (!tokenPattern.test(linkToken)) return null
  const now = clock.now()
  const userId = await takeSignInLink(store.durable, hashToken(linkToken), now)
  if (userId === null) return null
  const secret = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = now + sessionLifetimeMs
  await insertSession(store.durable, { hash: hashToken(secret), userId, createdAt: now, expiresAt })
  return secret
}

/** @param secret What the cookie holds. @returns Null when that is no session, or one that has ended. */
export async function findSession({ store, clock }: SignInDeps, secret: string | undefined): Promise<Session | null> {
  if (secret === undefined || !tokenPattern.test(secret)) return null
  const user = await findSessionUser(store.durable, hashToken(secret), clock.now())
  return user === null ? null : { user, formToken: deriveFormToken(secret) }
}

export async function signOut({ store }: SignInDeps, secret: string): Promise<void> {
  await deleteSession(store.durable, hashToken(secret))
}

export function isFormToken(session: Session, given: unknown): boolean {
  if (typeof given !== 'string') return false
  return timingSafeEqual(digest(given), digest(session.formToken))
}

/** Another hash than the stored one, so that whoever reads the database cannot forge a form. */
function deriveFormToken(secret: string): string {
  return digest(`docent:form:${secret}`).toString('base64url')
}

/** No stretching, because a token is 256 random bits and no password. */
function hashToken(token: string): string {
  return digest(token).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
