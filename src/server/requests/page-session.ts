import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { MiddlewareHandler } from 'hono/types'
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

/** Over https the name itself makes browsers refuse a cookie that another host or an insecure page has set. */
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

/** Begins a session under a new secret, whatever the browser had, so that nobody can have planted it. */
export async function replaceSession(c: AppContext, deps: ServerDeps, userId: string): Promise<string> {
  await signOut(deps, readSessionSecret(c, deps) ?? '')
  const secret = await beginSession(deps, userId)
  setSession(c, deps, secret)
  return secret
}

export function clearSession(c: AppContext, deps: ServerDeps): void {
  deleteCookie(c, cookieName(deps), { path: '/', secure: isSecure(deps.baseUrl) })
}

/** What scripts of our own pages send with every request that changes something. No other site can. */
const formTokenHeader = 'X-Docent-Form-Token'

/** Lets a request on only in a session and with its form token. */
export function requireSession(deps: ServerDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const session = await readSession(c, deps)
    if (session === null) throw sessionMissing()
    requireFormToken(c, session)
    c.set('session', session)
    return next()
  }
}

/** @throws {AppError} `form_expired` when the request does not carry the form token of the session. */
export function requireFormToken(c: AppContext, session: Session): void {
  if (isFormToken(session, c.req.header(formTokenHeader))) return
  throw new AppError(
    'form_expired',
    `Send the form token of this session in the header ${formTokenHeader}: GET /auth/session tells it.`,
  )
}

export function sessionMissing(): AppError {
  return new AppError('session_missing', 'You are not signed in, or your session has ended. Sign in.')
}

/**
 * Refuses what a page of another site sends before there is a session whose token could be asked for, so that nobody
 * is signed in to somebody else's account without noticing. Programs send neither header.
 *
 * @throws {AppError} `origin_not_allowed`.
 */
export function requireOwnPage(c: AppContext, { baseUrl }: ServerDeps): void {
  const site = c.req.header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = c.req.header('origin')
  if (site === undefined && (origin === undefined || isOwnOrigin(c, origin, baseUrl))) return
  throw new AppError('origin_not_allowed', 'Sign in on a page of this server, not from another site.')
}

function isOwnOrigin(c: AppContext, origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  return origin === new URL(baseUrl).origin || new URL(origin).host === c.req.header('host')
}
