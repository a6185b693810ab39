import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { MiddlewareHandler } from 'hono/types'
import { beginSession, findSession, isFormToken, type Session, sessionLifetimeMs, signOut } from '../access/sign-in.ts'
import { AppError } from '../contract/app-error.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { BodyReading } from './body-reading.ts'
import type { ServerParts } from './server-parts.ts'

/** Over https the name itself makes browsers refuse a cookie that another host or an insecure page has set. */
function cookieName({ baseUrl }: ServerParts): string {
  return isSecure(baseUrl) ? '__Host-docent_session' : 'docent_session'
}

export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}

export function readSessionSecret(c: AppContext, parts: ServerParts): string | undefined {
  return getCookie(c, cookieName(parts))
}

export function readSession(c: AppContext, parts: ServerParts): Promise<Session | null> {
  return findSession(parts, readSessionSecret(c, parts))
}

function setSession(c: AppContext, parts: ServerParts, secret: string): void {
  setCookie(c, cookieName(parts), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(parts.baseUrl),
    maxAge: sessionLifetimeMs / 1_000,
  })
}

/** Begins a session under a new secret, whatever the browser had, so that nobody can have planted it. */
export async function replaceSession(c: AppContext, parts: ServerParts, userId: string): Promise<string> {
  await signOut(parts, readSessionSecret(c, parts) ?? '')
  const secret = await beginSession(parts, userId)
  setSession(c, parts, secret)
  return secret
}

export function clearSession(c: AppContext, parts: ServerParts): void {
  deleteCookie(c, cookieName(parts), { path: '/', secure: isSecure(parts.baseUrl) })
}

/** Longest form, in bytes: a comment of the largest length in any script, encoded. */
const formBytesMax = 1024 * 1024
/** More than any page has: a megabyte can hold half a million, which take seconds to read. */
const formFieldsMax = 100

/**
 * The fields of a form. Of a name that occurs twice, the last. Anybody may send one, so it needs room like other bodies.
 *
 * @throws {AppError} `unsupported_media_type`; `body_too_large`; `overloaded`; `invalid_request` for more than 100 fields.
 */
export async function readForm(
  c: AppContext,
  { bodyPlaces }: Pick<ServerParts, 'bodyPlaces'>,
): Promise<Record<string, unknown>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the form of the page. Programs use the admin API.')
  }
  return new BodyReading(c, bodyPlaces, formBytesMax, null).use((body) => parseForm(body.bytes))
}

function parseForm(bytes: Uint8Array): Record<string, unknown> {
  const text = new TextDecoder().decode(bytes)
  if (text.split('&', formFieldsMax + 1).length > formFieldsMax) {
    throw new AppError('invalid_request', `The form has more than ${formFieldsMax} fields. Send the form of the page.`)
  }
  return Object.fromEntries(new URLSearchParams(text))
}

/**
 * The session that a form was sent in.
 *
 * @throws {AppError} `session_missing` without one; `form_expired` when the form is not of a page of this session, such as
 *   one on another site.
 */
export async function requireFormSession(
  c: AppContext,
  parts: ServerParts,
  form: Record<string, unknown>,
): Promise<Session> {
  const session = await readSession(c, parts)
  if (session === null) throw sessionMissing()
  if (isFormToken(session, form['token'])) return session
  throw new AppError('form_expired', 'This form is of another session. Load the page again and send it once more.')
}

/** What scripts of our own pages send with every request that changes something. No other site can. */
const formTokenHeader = 'X-Docent-Form-Token'

/** Lets a request on only in a session and with its form token. */
export function requireSession(parts: ServerParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const session = await readSession(c, parts)
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
export function requireOwnPage(c: AppContext, { baseUrl }: ServerParts): void {
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
