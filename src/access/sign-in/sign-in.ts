import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionUser,
  insertSession,
  insertSignInLink,
  takeSignInLink,
  touchSession,
} from '../../store/accounts/sessions.ts'
import { findOwner, insertUser, noteSignIn, type User } from '../../store/accounts/users.ts'

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
export const linkLifetimeMs: number = 60 * 60_000

export const sessionLifetimeMs: number = 14 * 24 * 60 * 60_000

/** A session that nobody uses for so long ends. */
const sessionIdleMs = 3 * 24 * 60 * 60_000

/** How exactly the last use of a session is known. */
const sessionTouchMs = 10 * 60_000

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
  const { token, hash } = makeToken({ randomBytes })
  const expiresAt = now + linkLifetimeMs
  await insertSignInLink(store.durable, { hash, userId: user.id, createdAt: now, expiresAt })
  return { token, expiresAt }
}

async function makeOwner(
  { store, ids }: Pick<SignInDeps, 'store' | 'ids'>,
  organizationId: string,
  createdAt: number,
): Promise<User> {
  const user: User = { id: ids.prefixed('user'), organizationId, name: 'Owner', email: null, role: 'owner', createdAt }
  await insertUser(store.durable, user)
  return user
}

/** Uses a link up. @returns Its user; null for a link that was used, has expired or never was. */
export async function signIn({ store, clock }: SignInDeps, linkToken: string): Promise<string | null> {
  return isToken(linkToken) ? takeSignInLink(store.durable, hashToken(linkToken), clock.now()) : null
}

/** Begins a session of a user who has shown who they are. @returns Its secret, for a cookie. */
export async function beginSession({ store, clock, randomBytes }: SignInDeps, userId: string): Promise<string> {
  const now = clock.now()
  const secret = randomBytes(tokenBytes).toString('base64url')
  await insertSession(store.durable, {
    hash: hashToken(secret),
    userId,
    createdAt: now,
    expiresAt: now + sessionLifetimeMs,
    idleUntil: now + sessionIdleMs,
  })
  await noteSignIn(store.relaxed, userId, now)
  return secret
}

/** @param secret What the cookie holds. @returns Null when that is no session, or one that has ended. */
export async function findSession({ store, clock }: SignInDeps, secret: string | undefined): Promise<Session | null> {
  if (secret === undefined || !isToken(secret)) return null
  const now = clock.now()
  const hash = hashToken(secret)
  const found = await findSessionUser(store.durable, hash, now)
  if (found === null) return null
  const idleUntil = now + sessionIdleMs
  if (found.idleUntil < idleUntil - sessionTouchMs) await touchSession(store.relaxed, hash, idleUntil)
  return { user: found.user, formToken: deriveFormToken(secret) }
}

export async function signOut({ store }: SignInDeps, secret: string): Promise<void> {
  await deleteSession(store.durable, hashToken(secret))
}

/** Ends every session of a user, on every device, and takes their links back. */
export async function signOutEverywhere({ store }: SignInDeps, userId: string): Promise<void> {
  await deleteSessionsOf(store.durable, userId)
}

/** Whether a text can be a token of ours at all. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text)
}

/** A token that opens something once, and what is stored of it. */
export function makeToken({ randomBytes }: Pick<SignInDeps, 'randomBytes'>): { token: string; hash: string } {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, hash: hashToken(token) }
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
export function hashToken(token: string): string {
  return digest(token).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
