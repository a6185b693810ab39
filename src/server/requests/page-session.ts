import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { MiddlewareHandler } from 'hono/types'
import { isOwnOrigin } from '../../access/keys/origins.ts'
import {
  beginSession,
  findSession,
  isFormToken,
  type Session,
  sessionLifetimeMs,
  signOut,
} from '../../access/sign-in/sign-in.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The `__Host-` prefix makes browsers reject the cookie if another host or an insecure page sets it. */
function cookieName({ baseUrl }: ServerDeps): string {
  return isSecure(baseUrl) ? '__Host-docent_session' : 'docent_session'
}

export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}

export function readSessionSecret(c: AppContext, deps: ServerDeps): string | undefined {
  return getCookie(c, cookieName(deps))
}

export function readSession(c: AppContext, deps: ServerDeps): Promise<Session | null> {
  return findSession(deps, readSessionSecret(c, deps))
}

function setSession(c: AppContext, deps: ServerDeps, secret: string): void {
  setCookie(c, cookieName(deps), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(deps.baseUrl),
    maxAge: sessionLifetimeMs / 1_000,
  })
}

/** Always starts a session under a new secret, so that nobody can have planted it (session fixation). */
export async function replaceSession(c: AppContext, deps: ServerDeps, userId: string): Promise<string> {
  await signOut(deps, readSessionSecret(c, deps) ?? '')
  const secret = await beginSession(deps, userId)
  setSession(c, deps, secret)
  return secret
}

export function clearSession(c: AppContext, deps: ServerDeps): void {
  deleteCookie(c, cookieName(deps), { path: '/', secure: isSecure(deps.baseUrl) })
}

/** Sent by scripts of our own pages with every modifying request. Other sites cannot read it. */
const formTokenHeader = 'X-Docent-Form-Token'

/** Requires a session and, for what changes something, its form token. */
export function requireSession(deps: ServerDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const session = await readSession(c, deps)
    if (session === null) throw sessionMissing()
    if (c.req.method !== 'GET') requireFormToken(c, session)
    c.set('session', session)
    return next()
  }
}

/** @throws {AppError} `form_expired` if the request lacks the session's form token. */
export function requireFormToken(c: AppContext, session: Session): void {
  if (isFormToken(session, c.req.header(formTokenHeader))) return
  throw new AppError(
    'form_expired',
    `Send the form token of this session in the header ${formTokenHeader}: GET /auth/session returns it.`,
  )
}

export function sessionMissing(): AppError {
  return new AppError('session_missing', 'You are not signed in, or your session has ended. Sign in.')
}

/**
 * Refuses cross-site requests made before there is a session whose token could be required, so that nobody is silently
 * signed in to somebody else's account (login CSRF). Programs send neither header.
 *
 * @throws {AppError} `origin_not_allowed`.
 */
export function requireOwnPage(c: AppContext, { baseUrl }: ServerDeps): void {
  const site = c.req.header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = c.req.header('origin')
  if (site === undefined && (origin === undefined || isOwnOrigin(origin, c.req.header('host'), baseUrl))) return
  throw new AppError('origin_not_allowed', 'Sign in on a page of this server, not from another site.')
}
