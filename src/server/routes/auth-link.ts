import { createRoute } from '@hono/zod-openapi'
import { signIn } from '../../access/sign-in.ts'
import { nameCommand } from '../../config/name-command.ts'
import { linkSignInSchema, sessionSchema } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { getUser } from '../../store/users.ts'
import type { DocentServer } from '../create-server.ts'
import { requireOwnPage } from '../page-session.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { startSession } from './auth.ts'

const linkRoute = createRoute({
  method: 'post',
  path: '/auth/link',
  tags: ['Accounts'],
  summary: 'Sign in with a link',
  description: 'Uses the link up and begins a session. It sets no password and accepts no invitation.',
  request: { body: { required: true, content: { 'application/json': { schema: linkSignInSchema } } } },
  responses: {
    200: { description: 'The session.', content: { 'application/json': { schema: sessionSchema } } },
    ...errorResponses(400, 403, 413, 415, 503),
  },
})

/** Signing in with a link alone. Its body is checked by `addAuth`. */
export function addAuthLink(app: DocentServer, parts: ServerParts): void {
  app.openapi(linkRoute, async (c) => {
    requireOwnPage(c, parts)
    const userId = await signIn(parts, c.req.valid('json').token)
    const user = userId === null ? null : await getUser(parts.store.durable, userId)
    if (user !== null) return startSession(c, parts, user)
    throw new AppError(
      'form_expired',
      `This link has been used or is more than an hour old. Create a new one with: ${nameCommand('owner-link')}`,
    )
  })
}
