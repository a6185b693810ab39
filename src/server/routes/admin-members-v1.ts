import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { acceptUrl, makeSignInLink } from '../../access/invite.ts'
import {
  memberListSchema,
  type MemberResource,
  memberSchema,
  memberUpdateSchema,
  type Role,
} from '../../contract/accounts.ts'
import { listQuerySchema } from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import { ownerLinkSchema } from '../../contract/repositories.ts'
import { changeMember, getUser, listMembers, type Member } from '../../store/users.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Accounts']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string() })
const memberContent = { 'application/json': { schema: memberSchema } }

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/members',
  tags,
  security,
  summary: 'List members',
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'Members, oldest first.', content: { 'application/json': { schema: memberListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const updateRoute = createRoute({
  method: 'patch',
  path: '/admin/v1/members/{id}',
  tags,
  security,
  summary: 'Change the role of a member',
  description: 'Holds at the next request of the member. The last owner stays one.',
  request: { params, body: { required: true, content: { 'application/json': { schema: memberUpdateSchema } } } },
  responses: {
    200: { description: 'The member.', content: memberContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
})

const removeRoute = createRoute({
  method: 'delete',
  path: '/admin/v1/members/{id}',
  tags,
  security,
  summary: 'Remove a member',
  description: 'Ends all sessions of the member at once. The last owner stays.',
  request: { params },
  responses: { 204: { description: 'It is done.' }, ...errorResponses(401, 403, 404, 409, 503) },
})

const linkRoute = createRoute({
  method: 'post',
  path: '/admin/v1/members/{id}/sign-in-link',
  tags,
  security,
  summary: 'Make a link that signs a member in',
  description: 'For a member who has lost the password. It works once and for an hour. Takes no body.',
  request: { params },
  responses: {
    201: { description: 'The link.', content: { 'application/json': { schema: ownerLinkSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

/** Mounts the members of an organization. */
export function addAdminMembers(app: DocentServer, parts: ServerParts): void {
  const { store, baseUrl } = parts

  app.openapi(listRoute, async (c) => {
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listMembers(store.durable, request)
    return reply(c, memberListSchema, { items: items.map(toResource), nextCursor }, 200)
  })

  app.openapi(updateRoute, async (c) => {
    const member = await findOwnMember(c, parts, c.req.valid('param').id)
    const { role } = c.req.valid('json')
    await change(c, parts, member, role)
    await recordAudit(c, parts, {
      action: 'role-changed',
      target: { ...targetOf(member), name: `${member.name}: ${role}` },
    })
    return reply(c, memberSchema, toResource({ ...member, role }), 200)
  })

  app.openapi(removeRoute, async (c) => {
    const member = await findOwnMember(c, parts, c.req.valid('param').id)
    await change(c, parts, member, null)
    await recordAudit(c, parts, { action: 'member-removed', target: targetOf(member) })
    return c.body(null, 204)
  })

  app.openapi(linkRoute, async (c) => {
    const member = await findOwnMember(c, parts, c.req.valid('param').id)
    const { token, expiresAt } = await makeSignInLink(parts, member.id)
    await recordAudit(c, parts, { action: 'sign-in-link-made', target: targetOf(member) })
    c.header('Cache-Control', 'private, no-store')
    return reply(c, ownerLinkSchema, { url: acceptUrl(baseUrl, token), expiresAt: toIsoTime(expiresAt) }, 201)
  })
}

/** @param role Null removes the member. */
async function change(c: AppContext, { store }: ServerParts, { id }: Member, role: Role | null): Promise<void> {
  const outcome = await changeMember(store.durable, { organizationId: c.get('organizationId'), userId: id, role })
  if (outcome === 'missing') throw missingMember(id)
  if (outcome === 'changed') return
  throw new AppError('last_owner', 'An organization keeps an owner. Make another member an owner first.')
}

async function findOwnMember(c: AppContext, { store }: ServerParts, id: string): Promise<Member> {
  const member = await getUser(store.durable, id)
  if (member?.organizationId !== c.get('organizationId')) throw missingMember(id)
  return member
}

function missingMember(id: string): AppError {
  return new AppError('not_found', `There is no member ${id.slice(0, 100)}. List the members to see their ids.`)
}

function targetOf({ id, name }: Member) {
  return { kind: 'user', id, name }
}

function toResource({ id, name, email, role, createdAt, lastSignInAt }: Member): MemberResource {
  return { id, name, email, role, createdAt: toIsoTime(createdAt), lastSignInAt: toIsoTime(lastSignInAt) }
}
