import { acceptLink, findOpenLink, type OpenLink } from '../../access/accept-link.ts'
import { type Session, signIn, signOut } from '../../access/sign-in.ts'
import { nameCommand } from '../../config/name-command.ts'
import { acceptSchema, signInSchema } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { getUser, type User } from '../../store/users.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toErrorReply } from '../error-response.ts'
import { servePage } from '../page-route.ts'
import {
  clearSession,
  readForm,
  readSession,
  readSessionSecret,
  replaceSession,
  requireFormSession,
  requireOwnPage,
} from '../page-session.ts'
import type { Viewer } from '../pages/pull-request-page.ts'
import { renderSignInPage } from '../pages/sign-in-page.ts'
import { invalidRequest } from '../read-json.ts'
import { auditUser, recordAudit } from '../record-audit.ts'
import { hasRole } from '../require-role.ts'
import type { ServerParts } from '../server-parts.ts'
import { checkOrRecord } from './auth.ts'

/** Signing in without a script: with a link, an invitation, or e-mail address and password; and out. */
export function addSignIn(app: DocentServer, parts: ServerParts): void {
  app.get(
    '/sign-in',
    servePage((c) => sendSignInPage(c, parts, c.req.query('token') ?? null)),
  )
  app.post(
    '/sign-in',
    servePage(async (c) => {
      requireOwnPage(c, parts)
      const form = await readForm(c, parts)
      const link = typeof form['link'] === 'string' ? form['link'] : null
      try {
        const user = await readUser(c, parts, form, link)
        await replaceSession(c, parts, user.id)
        await recordAudit(c, parts, { action: 'session-begun' }, auditUser(user))
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'form_expired') throw error
        return sendSignInPage(c, parts, link, error)
      }
      return c.redirect('/pull-requests', 303)
    }),
  )
  app.post(
    '/sign-out',
    servePage(async (c) => {
      const { user } = await requireFormSession(c, parts, await readForm(c, parts))
      await signOut(parts, readSessionSecret(c, parts) ?? '')
      clearSession(c, parts)
      await recordAudit(c, parts, { action: 'session-ended' }, auditUser(user))
      return c.redirect('/sign-in', 303)
    }),
  )
}

/** Whom the form proves: by a link, with a new password where one is given, or by e-mail address and password. */
async function readUser(
  c: AppContext,
  parts: ServerParts,
  form: Record<string, unknown>,
  link: string | null,
): Promise<User> {
  if (form['email'] !== undefined && link === null) {
    const given = signInSchema.safeParse(form)
    if (!given.success) throw invalidRequest(readErrorDetails(given.error))
    return checkOrRecord(c, parts, given.data)
  }
  const hasPassword = typeof form['password'] === 'string' && form['password'] !== ''
  return hasPassword ? setPassword(c, parts, form, link) : followLink(parts, link ?? '')
}

async function setPassword(c: AppContext, parts: ServerParts, form: Record<string, unknown>, link: string | null) {
  // Fields that were left empty count as not given.
  const filled = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
  const accept = acceptSchema.safeParse({ ...filled, token: link ?? '' })
  if (!accept.success) throw invalidRequest(readErrorDetails(accept.error))
  const { isNew, ...user } = await acceptLink(parts, accept.data)
  await recordAudit(c, parts, { action: isNew ? 'invitation-accepted' : 'password-set' }, auditUser(user))
  return user
}

async function followLink(parts: ServerParts, link: string): Promise<User> {
  const userId = await signIn(parts, link)
  const user = userId === null ? null : await getUser(parts.store.durable, userId)
  if (user !== null) return user
  throw new AppError(
    'form_expired',
    `This link has been used or is more than an hour old. Create a new one with: ${nameCommand('owner-link')}`,
  )
}

async function sendSignInPage(c: AppContext, parts: ServerParts, token: string | null, refusal?: AppError) {
  // Without it the form would be sent as if from nowhere. Other sites are still told nothing.
  c.header('Referrer-Policy', 'same-origin')
  const session = await readSession(c, parts)
  const page = await renderSignInPage({
    token,
    link: token === null ? null : await findLink(parts, token),
    viewer: session && viewerOf(session),
    providerName: parts.oidc?.name ?? null,
    notice: refusal?.message ?? null,
  })
  for (const [name, value] of Object.entries(refusal?.headers ?? {})) c.header(name, value)
  return c.html(page, refusal === undefined ? 200 : toErrorReply(refusal, c.get('requestId')).status)
}

/** Null for one that opens nothing, which the button says. */
async function findLink(parts: ServerParts, token: string): Promise<OpenLink | null> {
  try {
    return await findOpenLink(parts, token)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

export function viewerOf({ user, formToken }: Session): Viewer {
  return { name: user.name, formToken, mayDecide: hasRole(user.role, 'editor') }
}
