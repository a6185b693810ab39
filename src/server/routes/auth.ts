import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { acceptLink, findOpenLink, type OpenLink } from '../../access/accept-link.ts'
import { changePassword, checkPassword } from '../../access/password-sign-in.ts'
import { beginSession, findSession, signOut, signOutEverywhere } from '../../access/sign-in.ts'
import {
  acceptInfoSchema,
  acceptSchema,
  passwordChangeSchema,
  sessionSchema,
  signInSchema,
  signOutSchema,
} from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { getOrganization } from '../../store/organizations.ts'
import type { User } from '../../store/users.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import {
  clearSession,
  readSession,
  readSessionSecret,
  requireFormToken,
  requireOwnPage,
  sessionMissing,
  setSession,
} from '../page-session.ts'
import { requestBytesMax, requireJsonBody } from '../read-json.ts'
import { auditUser, recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { localOrganizationId } from '../require-admin.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { replySession } from '../session-resource.ts'

const tags = ['Accounts']
const sessionContent = { 'application/json': { schema: sessionSchema } }
const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

const sessionRoute = createRoute({
  method: 'get',
  path: '/auth/session',
  tags,
  summary: 'Tell who is signed in',
  description: 'By the cookie of the session. Answers 200 also when nobody is.',
  responses: { 200: { description: 'The session.', content: sessionContent }, ...errorResponses(503) },
})

const signInRoute = createRoute({
  method: 'post',
  path: '/auth/sign-in',
  tags,
  summary: 'Sign in with e-mail address and password',
  description: 'Begins a new session, in a cookie. After five failures each further one makes the account wait longer.',
  request: jsonBody(signInSchema),
  responses: {
    200: { description: 'The session.', content: sessionContent },
    ...errorResponses(400, 401, 403, 413, 415, 429, 503),
  },
})

const signOutRoute = createRoute({
  method: 'post',
  path: '/auth/sign-out',
  tags,
  summary: 'Sign out',
  description: 'Needs the header `X-Docent-Form-Token`.',
  request: { body: { required: false, content: { 'application/json': { schema: signOutSchema } } } },
  responses: {
    200: { description: 'Nobody is signed in.', content: sessionContent },
    ...errorResponses(401, 403, 503),
  },
})

const acceptInfoRoute = createRoute({
  method: 'get',
  path: '/auth/accept',
  tags,
  summary: 'Tell what a link is for',
  description: 'Does not use it up.',
  request: { query: z.object({ token: z.string().max(200) }) },
  responses: {
    200: { description: 'What it is for.', content: { 'application/json': { schema: acceptInfoSchema } } },
    ...errorResponses(400, 403, 503),
  },
})

const acceptRoute = createRoute({
  method: 'post',
  path: '/auth/accept',
  tags,
  summary: 'Use a link: accept an invitation, or set a password',
  description: 'Begins a session. A password that is set ends all sessions that the user had.',
  request: jsonBody(acceptSchema),
  responses: {
    200: { description: 'The session.', content: sessionContent },
    ...errorResponses(400, 403, 409, 413, 415, 429, 503),
  },
})

const passwordRoute = createRoute({
  method: 'post',
  path: '/auth/password',
  tags,
  summary: 'Change the password',
  description: 'Needs the header `X-Docent-Form-Token`. Ends all other sessions of the user and begins a new one.',
  request: jsonBody(passwordChangeSchema),
  responses: {
    200: { description: 'The session.', content: sessionContent },
    ...errorResponses(400, 401, 403, 413, 415, 429, 503),
  },
})

/** Signing in and out. */
export function addAuth(app: DocentServer, parts: ServerParts): void {
  app.use('/auth/*', requireJsonBody(parts, requestBytesMax))

  app.openapi(sessionRoute, async (c) => replySession(c, parts, await readSession(c, parts)))

  app.openapi(signInRoute, async (c) => {
    requireOwnPage(c, parts)
    const { email, password } = c.req.valid('json')
    const user = await checkOrRecord(c, parts, { email, password })
    return startSession(c, parts, user)
  })

  app.openapi(signOutRoute, async (c) => {
    const session = await readSession(c, parts)
    if (session === null) throw sessionMissing()
    requireFormToken(c, session)
    const { everywhere = false } = c.req.valid('json') as { everywhere?: boolean }
    if (everywhere) await signOutEverywhere(parts, session.user.id)
    await signOut(parts, readSessionSecret(c, parts) ?? '')
    clearSession(c, parts)
    await recordAudit(c, parts, { action: everywhere ? 'sessions-ended' : 'session-ended' }, auditUser(session.user))
    return replySession(c, parts, null)
  })

  app.openapi(acceptInfoRoute, async (c) => {
    c.header('Cache-Control', 'private, no-store')
    const link = await findOpenLink(parts, c.req.valid('query').token)
    return reply(c, acceptInfoSchema, await describeLink(parts, link), 200)
  })

  app.openapi(acceptRoute, async (c) => {
    requireOwnPage(c, parts)
    const { isNew, ...user } = await acceptLink(parts, c.req.valid('json'))
    await recordAudit(c, parts, { action: isNew ? 'invitation-accepted' : 'password-set' }, auditUser(user))
    return startSession(c, parts, user)
  })

  app.openapi(passwordRoute, async (c) => {
    const session = await readSession(c, parts)
    if (session === null) throw sessionMissing()
    requireFormToken(c, session)
    const { currentPassword: current, password: next } = c.req.valid('json')
    await changePassword(parts, session.user, { current, next, address: c.get('clientAddress') })
    await recordAudit(c, parts, { action: 'password-set' }, auditUser(session.user))
    return startSession(c, parts, session.user)
  })
}

/** Begins a session under a new secret, whatever the browser had, so that nobody can have planted it. */
export async function replaceSession(c: AppContext, parts: ServerParts, userId: string): Promise<string> {
  await signOut(parts, readSessionSecret(c, parts) ?? '')
  const secret = await beginSession(parts, userId)
  setSession(c, parts, secret)
  return secret
}

/** Failures go into the audit log as well: without the address that was given, which may be a password. */
async function checkOrRecord(
  c: AppContext,
  parts: ServerParts,
  given: { email: string; password: string },
): Promise<User> {
  try {
    return await checkPassword(parts, { ...given, address: c.get('clientAddress') })
  } catch (error) {
    if (error instanceof AppError && error.code === 'sign_in_failed') {
      const actor = { kind: 'anonymous' as const, id: null, name: 'Somebody' }
      await recordAudit(c, parts, { action: 'sign-in-failed' }, { organizationId: localOrganizationId, actor })
    }
    throw error
  }
}

export async function startSession(c: AppContext, parts: ServerParts, user: User) {
  const secret = await replaceSession(c, parts, user.id)
  await recordAudit(c, parts, { action: 'session-begun' }, auditUser(user))
  return replySession(c, parts, await findSession(parts, secret))
}

async function describeLink({ store }: ServerParts, link: OpenLink) {
  const isInvitation = link.kind === 'invitation'
  const { organizationId, role, email } = isInvitation ? link.invitation : link.user
  const organization = await getOrganization(store.durable, organizationId)
  return {
    kind: link.kind,
    organization: { id: organizationId, name: organization?.name ?? organizationId },
    role,
    email,
    name: isInvitation ? null : link.user.name,
    hasPassword: isInvitation ? false : link.hasPassword,
    expiresAt: toIsoTime(isInvitation ? link.invitation.expiresAt : link.expiresAt),
  }
}
