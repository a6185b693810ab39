import type { MiddlewareHandler } from 'hono/types'
import { authenticate, requireScope } from '../../access/keys/authenticate.ts'
import { type Role, roles } from '../../contract/accounts.ts'
import type { Operation } from '../../contract/operations/operation.ts'
import { isSameSecret } from '../../base/same-secret.ts'
import type { Actor, AppContext, AppEnv } from '../app-env.ts'
import { readSession, readSessionSecret, requireFormToken, sessionMissing } from './page-session.ts'
import { requireRole } from './require-role.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Prefixes of the paths that `requireAdmin` guards. */
export const adminPaths = ['/admin/v1/', '/v2/agent/', '/v1/agent/', '/v1/analytics/'] as const

/** Organization of a single-machine installation, which commands on that machine act for. */
export const localOrganizationId = 'default'

/**
 * Requires an admin key of the right scope, the local token of commands on this machine, or the session of a member
 * whose role allows the operation.
 */
export function requireAdmin(
  deps: ServerDeps,
  findOperation: (c: AppContext) => Operation | null,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { organizationId, actor } = await readActor(c, deps)
    c.set('organizationId', organizationId)
    c.set('actorName', actor.name)
    c.set('actor', actor)
    requireRole(c, readRole(c, findOperation(c)))
    return next()
  }
}

/**
 * The role that a request needs. Requests outside the operation tables need an owner, or a viewer if they only read.
 */
function readRole(c: AppContext, operation: Operation | null): Role {
  const role = roles.find((each) => each === operation?.access)
  return role ?? (operation === null && isLook(c) ? 'viewer' : 'owner')
}

interface Acting {
  organizationId: string
  actor: Actor
}

async function readActor(c: AppContext, deps: ServerDeps): Promise<Acting> {
  const authorization = c.req.header('authorization')
  if (isSameSecret(authorization ?? '', `Bearer ${deps.localToken}`)) {
    return { organizationId: localOrganizationId, actor: { kind: 'local', id: null, name: 'Owner', role: 'owner' } }
  }
  // An explicit key takes precedence, so that a browser's cookie never widens what a program may do.
  if (authorization === undefined && readSessionSecret(c, deps) !== undefined) return readMember(c, deps)
  const key = await authenticate(deps, 'admin', {
    authorization,
    address: c.get('clientAddress'),
    origin: c.req.header('origin'),
  })
  requireScope(key, isLook(c) ? 'read' : 'write')
  deps.keys.touch(key).catch((error: unknown) => c.get('log').warn({ error }, 'key-touch-failed'))
  const role = key.scopes.includes('write') ? 'owner' : 'viewer'
  return { organizationId: key.organizationId, actor: { kind: 'key', id: key.id, name: key.name, role } }
}

async function readMember(c: AppContext, deps: ServerDeps): Promise<Acting> {
  const session = await readSession(c, deps)
  if (session === null) throw sessionMissing()
  if (!isLook(c)) requireFormToken(c, session)
  const { id, name, role, organizationId } = session.user
  return { organizationId, actor: { kind: 'user', id, name, role } }
}

function isLook(c: AppContext): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD'
}
