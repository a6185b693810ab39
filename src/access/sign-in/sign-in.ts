import { dayMs, hourMs } from '../../base/durations.ts'
import { createHash } from 'node:crypto'
import type { IdSource } from '../../base/ids.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionUser,
  insertSession,
  insertSignInLink,
  consumeSignInLink,
  touchSession,
} from '../../store/accounts/sessions.ts'
import { findOwner, insertUser, recordSignIn, type User } from '../../store/accounts/users.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { isSameSecret } from '../../base/same-secret.ts'

export interface SignInDeps extends StoreDeps {
  ids: IdSource
  randomBytes(size: number): Buffer
}

/** The signed-in user, and the token that forms of the session carry. */
export interface Session {
  user: User
  /** Proves that a form was submitted from a page of this session. */
  formToken: string
}

const tokenBytes = 32
const tokenPattern = /^[\w-]{43}$/

/** Long enough to walk over to the browser, short enough that a line in an old log is useless. */
export const linkLifetimeMs: number = hourMs

export const sessionLifetimeMs: number = 14 * dayMs

/** Sessions end after this long without use. */
const sessionIdleMs = 3 * dayMs

/** Precision of a session's last use. */
const sessionTouchMs = 10 * 60_000

/** Where a link token is used. In the query, because paths are logged and queries are not. */
export function ownerLinkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/sign-in?token=${token}`
}

/**
 * Creates a single-use link token that signs in the owner of an organization. The first link creates the owner.
 *
 * @returns The token, which cannot be recovered later.
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

/** Uses up a link. @returns Its user id; null if the link is unknown, used or expired. */
export async function signIn({ store, clock }: SignInDeps, linkToken: string): Promise<string | null> {
  return isToken(linkToken) ? consumeSignInLink(store.durable, hashToken(linkToken), clock.now()) : null
}

/** Starts a session for an authenticated user. @returns Its secret, for a cookie. */
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
  await recordSignIn(store.relaxed, userId, now)
  return secret
}

/** @param secret The cookie's value. @returns Null if there is no such session, or it has ended. */
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

/** Ends all sessions of a user on every device and revokes their links. */
export async function signOutEverywhere({ store }: SignInDeps, userId: string): Promise<void> {
  await deleteSessionsOf(store.durable, userId)
}

/** Whether a text has the format of our tokens. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text)
}

/** A single-use token, and the hash to store. */
export function makeToken({ randomBytes }: Pick<SignInDeps, 'randomBytes'>): { token: string; hash: string } {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, hash: hashToken(token) }
}

export function isFormToken(session: Session, given: unknown): boolean {
  return typeof given === 'string' && isSameSecret(given, session.formToken)
}

/** Differs from the stored hash, so that read access to the database is not enough to forge a form. */
function deriveFormToken(secret: string): string {
  return digest(`docent:form:${secret}`).toString('base64url')
}

/** No stretching, because a token is 256 random bits, not a password. */
export function hashToken(token: string): string {
  return digest(token).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
