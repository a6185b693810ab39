import { acceptUrl, invite } from '../../access/sign-in/invite.ts'
import type { InvitationResource } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import type { invitationOperations } from '../../contract/operations/accounts.ts'
import { type Invitation, listInvitations, revokeInvitation } from '../../store/accounts/invitations.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Handlers of an organization's invitations. */
type InvitationDeps = Pick<ServerDeps, 'store' | 'clock' | 'ids' | 'baseUrl' | 'randomBytes'>

export function createInvitationHandlers(deps: InvitationDeps): Handlers<typeof invitationOperations> {
  const { store, clock, baseUrl } = deps

  return {
    listInvitations: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      const { items, nextCursor } = await listInvitations(store.durable, request)
      return { items: items.map((invitation) => toResource(invitation, clock.now())), nextCursor }
    },

    createInvitation: async ({ c, body: { role, email } }) => {
      const input = {
        organizationId: c.get('organizationId'),
        role,
        email: email ?? null,
        invitedBy: c.get('actorName'),
      }
      const { invitation, token } = await invite(deps, input)
      c.header('Cache-Control', 'private, no-store')
      const created = { ...toResource(invitation, clock.now()), url: acceptUrl(baseUrl, token) }
      return { reply: created, audit: { target: targetOf(invitation) } }
    },

    revokeInvitation: async ({ c, params: { id } }) => {
      const request = { organizationId: c.get('organizationId'), id, now: clock.now() }
      const invitation = await revokeInvitation(store.durable, request)
      if (invitation === null) {
        throw new AppError(
          'not_found',
          `There is no invitation ${id.slice(0, 100)}. List the invitations to see their ids.`,
        )
      }
      return { reply: toResource(invitation, clock.now()), audit: { target: targetOf(invitation) } }
    },
  }
}

function targetOf({ id, email, role }: Invitation) {
  return { kind: 'invitation', id, name: email ?? role }
}

function toResource(invitation: Invitation, now: number) {
  return { ...invitation, state: stateOf(invitation, now) }
}

function stateOf({ usedAt, revokedAt, expiresAt }: Invitation, now: number): InvitationResource['state'] {
  if (usedAt !== null) return 'used'
  if (revokedAt !== null) return 'revoked'
  return expiresAt <= now ? 'expired' : 'open'
}
