import { acceptLink, findOpenLink, type OpenLink } from '../../access/sign-in/accept-link.ts'
import { changePassword, checkPassword } from '../../access/sign-in/password-sign-in.ts'
import { findSession, signIn, signOut, signOutEverywhere, type Session } from '../../access/sign-in/sign-in.ts'
import { nameCommand, commandPrefix } from '../../config/name-command.ts'
import { AppError } from '../../contract/app-error.ts'
import type { sessionOperations } from '../../contract/operations/accounts.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { getUser, type User, hasUserWhoSignsIn } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
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
import type { ServerDeps } from '../server-deps.ts'
import { startOidcSignIn } from './oidc-sign-in.ts'
import type { z } from 'zod'
import type { sessionSchema } from '../../contract/accounts.ts'
import { getBrand } from '../../store/accounts/brands.ts'
import { describeBrand } from '../pages/brand.ts'

/** Handlers for signing in and out. */
export function createSessionHandlers(deps: ServerDeps): Handlers<typeof sessionOperations> {
  return {
    getSession: async ({ c }) => describeSession(c, deps, await readSession(c, deps)),

    signIn: async ({ c, body }) => {
      requireOwnPage(c, deps)
      return startSession(c, deps, await checkOrRecord(c, deps, body))
    },

    signOut: async ({ c, body: { everywhere } }) => {
      const { user } = c.get('session')
      if (everywhere) await signOutEverywhere(deps, user.id)
      await signOut(deps, readSessionSecret(c, deps) ?? '')
      clearSession(c, deps)
      await recordAudit(c, deps, { action: everywhere ? 'sessions-ended' : 'session-ended' }, auditUser(user))
      return describeSession(c, deps, null)
    },

    inspectLink: async ({ c, query }) => {
      c.header('Cache-Control', 'private, no-store')
      const link = await findOpenLink(deps, query.token)
      return describeLink(deps, link)
    },

    acceptLink: async ({ c, body }) => {
      requireOwnPage(c, deps)
      const { isNew, ...user } = await acceptLink(deps, body)
      await recordAudit(c, deps, { action: isNew ? 'invitation-accepted' : 'password-set' }, auditUser(user))
      return startSession(c, deps, user)
    },

    changePassword: async ({ c, body: { currentPassword: current, password: next } }) => {
      const { user } = c.get('session')
      await changePassword(deps, user, { current, next, address: c.get('clientAddress') })
      await recordAudit(c, deps, { action: 'password-set' }, auditUser(user))
      return startSession(c, deps, user)
    },

    signInWithLink: async ({ c, body }) => {
      requireOwnPage(c, deps)
      const userId = await signIn(deps, body.token)
      const user = userId === null ? null : await getUser(deps.store.durable, userId)
      if (user !== null) return startSession(c, deps, user)
      throw new AppError(
        'form_expired',
        `This link has been used or is more than an hour old. Create a new one with: ${nameCommand('owner-link')}`,
      )
    },

    startOidcSignIn: ({ c, query }) => startOidcSignIn(c, deps, query.returnTo),
  }
}

/** Also audits failures, but without the given address, which may be a password. */
async function checkOrRecord(
  c: AppContext,
  deps: ServerDeps,
  given: { email: string; password: string },
): Promise<User> {
  try {
    return await checkPassword(deps, { ...given, address: c.get('clientAddress') })
  } catch (error) {
    if (error instanceof AppError && error.code === 'sign_in_failed') {
      const actor = { kind: 'anonymous' as const, id: null, name: 'Somebody' }
      await recordAudit(c, deps, { action: 'sign-in-failed' }, { organizationId: localOrganizationId, actor })
    }
    throw error
  }
}

async function startSession(c: AppContext, deps: ServerDeps, user: User) {
  const secret = await replaceSession(c, deps, user.id)
  await recordAudit(c, deps, { action: 'session-begun' }, auditUser(user))
  return describeSession(c, deps, await findSession(deps, secret))
}

async function describeLink({ store }: ServerDeps, link: OpenLink) {
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
    expiresAt: isInvitation ? link.invitation.expiresAt : link.expiresAt,
  }
}

/** Describes to our own pages who is signed in, the form token, and how to sign in if nobody is. */
async function describeSession(
  c: AppContext,
  deps: ServerDeps,
  session: Session | null,
): Promise<z.input<typeof sessionSchema>> {
  const db = deps.store.durable
  const organizationId = session?.user.organizationId ?? localOrganizationId
  const organization = await getOrganization(db, organizationId)
  const isFirstRun = session === null && !(await hasUserWhoSignsIn(db, organizationId))
  c.header('Cache-Control', 'private, no-store')
  return {
    user: session && describeUser(session),
    organization: { id: organizationId, name: organization?.name ?? organizationId },
    brand: describeBrand(await getBrand(db, { organizationId })),
    formToken: session?.formToken ?? null,
    methods: { password: true, oidc: deps.oidc && { name: deps.oidc.name } },
    isFirstRun,
    ...(session !== null || isFirstRun ? { commandPrefix } : {}),
  }
}

function describeUser({ user: { id, name, email, role } }: Session) {
  return { id, name, email, role }
}
