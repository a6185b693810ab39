import { acceptLink, findOpenLink, type OpenLink } from '../../access/sign-in/accept-link.ts'
import { changePassword, checkPassword } from '../../access/sign-in/password-sign-in.ts'
import { findSession, signIn, signOut, signOutEverywhere } from '../../access/sign-in/sign-in.ts'
import { nameCommand } from '../../config/name-command.ts'
import { AppError } from '../../contract/app-error.ts'
import type { sessionOperations } from '../../contract/operations/accounts.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { getUser, type User } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
import { toIsoTime } from '../replies/iso-time.ts'
import {
  clearSession,
  readSession,
  readSessionSecret,
  replaceSession,
  requireOwnPage,
} from '../requests/page-session.ts'
import { auditUser, recordAudit } from '../requests/record-audit.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerParts } from '../server-parts.ts'
import { describeSession } from '../resources/session-resource.ts'
import { startOidcSignIn } from './oidc-sign-in.ts'

/** Signing in and out. */
export function createSessionHandlers(parts: ServerParts): Handlers<typeof sessionOperations> {
  return {
    getSession: async ({ c }) => describeSession(c, parts, await readSession(c, parts)),

    signIn: async ({ c, body }) => {
      requireOwnPage(c, parts)
      return startSession(c, parts, await checkOrRecord(c, parts, body))
    },

    signOut: async ({ c, body: { everywhere } }) => {
      const { user } = c.get('session')
      if (everywhere) await signOutEverywhere(parts, user.id)
      await signOut(parts, readSessionSecret(c, parts) ?? '')
      clearSession(c, parts)
      await recordAudit(c, parts, { action: everywhere ? 'sessions-ended' : 'session-ended' }, auditUser(user))
      return describeSession(c, parts, null)
    },

    inspectLink: async ({ c, query }) => {
      c.header('Cache-Control', 'private, no-store')
      const link = await findOpenLink(parts, query.token)
      return describeLink(parts, link)
    },

    acceptLink: async ({ c, body }) => {
      requireOwnPage(c, parts)
      const { isNew, ...user } = await acceptLink(parts, body)
      await recordAudit(c, parts, { action: isNew ? 'invitation-accepted' : 'password-set' }, auditUser(user))
      return startSession(c, parts, user)
    },

    changePassword: async ({ c, body: { currentPassword: current, password: next } }) => {
      const { user } = c.get('session')
      await changePassword(parts, user, { current, next, address: c.get('clientAddress') })
      await recordAudit(c, parts, { action: 'password-set' }, auditUser(user))
      return startSession(c, parts, user)
    },

    signInWithLink: async ({ c, body }) => {
      requireOwnPage(c, parts)
      const userId = await signIn(parts, body.token)
      const user = userId === null ? null : await getUser(parts.store.durable, userId)
      if (user !== null) return startSession(c, parts, user)
      throw new AppError(
        'form_expired',
        `This link has been used or is more than an hour old. Create a new one with: ${nameCommand('owner-link')}`,
      )
    },

    startOidcSignIn: ({ c, query }) => startOidcSignIn(c, parts, query.returnTo),
  }
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

async function startSession(c: AppContext, parts: ServerParts, user: User) {
  const secret = await replaceSession(c, parts, user.id)
  await recordAudit(c, parts, { action: 'session-begun' }, auditUser(user))
  return describeSession(c, parts, await findSession(parts, secret))
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
