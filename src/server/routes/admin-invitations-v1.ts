import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { acceptUrl, invite } from '../../access/invite.ts'
import {
  invitationCreatedSchema,
  invitationCreateSchema,
  invitationListSchema,
  type InvitationResource,
  invitationSchema,
} from '../../contract/accounts.ts'
import { listQuerySchema } from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Invitation, listInvitations, revokeInvitation } from '../../store/invitations.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Accounts']
const security = [{ adminKey: [] }]

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/invitations',
  tags,
  security,
  summary: 'List invitations',
  request: { query: listQuerySchema },
  responses: {
    200: {
      description: 'Invitations, newest first, without their links.',
      content: { 'application/json': { schema: invitationListSchema } },
    },
    ...errorResponses(400, 401, 403, 503),
  },
})

const createInvitationRoute = createRoute({
  method: 'post',
  path: '/admin/v1/invitations',
  tags,
  security,
  summary: 'Invite somebody',
  description: 'Makes a link that works once and for seven days. Nothing is sent: hand the link over yourself.',
  request: { body: { required: true, content: { 'application/json': { schema: invitationCreateSchema } } } },
  responses: {
    201: {
      description: 'The invitation. `url` is shown this once.',
      content: { 'application/json': { schema: invitationCreatedSchema } },
    },
    ...errorResponses(400, 401, 403, 409, 413, 415, 503),
  },
})

const revokeRoute = createRoute({
  method: 'post',
  path: '/admin/v1/invitations/{id}/revoke',
  tags,
  security,
  summary: 'Revoke an invitation',
  description: 'Its link opens nothing from now on. One that was used stays used.',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: { description: 'The invitation.', content: { 'application/json': { schema: invitationSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

/** Mounts the invitations of an organization. */
export function addAdminInvitations(app: DocentServer, parts: ServerParts): void {
  const { store, clock, baseUrl } = parts

  app.openapi(listRoute, async (c) => {
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listInvitations(store.durable, request)
    const resources = items.map((invitation) => toResource(invitation, clock.now()))
    return reply(c, invitationListSchema, { items: resources, nextCursor }, 200)
  })

  app.openapi(createInvitationRoute, async (c) => {
    const { role, email } = c.req.valid('json')
    const input = {
      organizationId: c.get('organizationId'),
      role,
      email: email ?? null,
      invitedBy: c.get('actorName'),
    }
    const { invitation, token } = await invite(parts, input)
    await recordAudit(c, parts, { action: 'invitation-created', target: targetOf(invitation) })
    c.header('Cache-Control', 'private, no-store')
    const created = { ...toResource(invitation, clock.now()), url: acceptUrl(baseUrl, token) }
    return reply(c, invitationCreatedSchema, created, 201)
  })

  app.openapi(revokeRoute, async (c) => {
    const { id } = c.req.valid('param')
    const request = { organizationId: c.get('organizationId'), id, now: clock.now() }
    const invitation = await revokeInvitation(store.durable, request)
    if (invitation === null) {
      throw new AppError(
        'not_found',
        `There is no invitation ${id.slice(0, 100)}. List the invitations to see their ids.`,
      )
    }
    await recordAudit(c, parts, { action: 'invitation-revoked', target: targetOf(invitation) })
    return reply(c, invitationSchema, toResource(invitation, clock.now()), 200)
  })
}

function targetOf({ id, email, role }: Invitation) {
  return { kind: 'invitation', id, name: email ?? role }
}

function toResource(invitation: Invitation, now: number): InvitationResource {
  const { id, role, email, invitedBy, createdAt, expiresAt } = invitation
  return {
    id,
    role,
    email,
    invitedBy,
    state: stateOf(invitation, now),
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTime(expiresAt),
  }
}

function stateOf({ usedAt, revokedAt, expiresAt }: Invitation, now: number): InvitationResource['state'] {
  if (usedAt !== null) return 'used'
  if (revokedAt !== null) return 'revoked'
  return expiresAt <= now ? 'expired' : 'open'
}
