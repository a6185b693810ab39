import { timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono/types'
import { authenticate, requireScope } from '../access/authenticate.ts'
import { hashKeySecret } from '../access/key-secret.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import type { ServerParts } from './server-parts.ts'

/** The organization of a single-machine installation, which commands on that machine act for. */
export const localOrganizationId = 'default'

/** Lets a request on only with an admin key of the right scope, or with the local token of commands on this machine. */
export function requireAdmin(parts: ServerParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { organizationId, name } = await readActor(c, parts)
    c.set('organizationId', organizationId)
    c.set('actorName', name)
    return next()
  }
}

interface Actor {
  organizationId: string
  /** For people. */
  name: string
}

async function readActor(c: AppContext, parts: ServerParts): Promise<Actor> {
  const authorization = c.req.header('authorization')
  if (isLocalToken(authorization, parts.localToken)) return { organizationId: localOrganizationId, name: 'Owner' }
  const key = await authenticate(parts, 'admin', {
    authorization,
    address: c.get('clientAddress'),
    origin: c.req.header('origin'),
  })
  requireScope(key, c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write')
  parts.keys.touch(key).catch((error: unknown) => c.get('log').warn({ error }, 'key-touch-failed'))
  return { organizationId: key.organizationId, name: key.name }
}

/** Hashes have one length, which `timingSafeEqual` needs. */
function isLocalToken(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(hashKeySecret(authorization ?? ''))
  return timingSafeEqual(given, Buffer.from(hashKeySecret(`Bearer ${token}`)))
}
