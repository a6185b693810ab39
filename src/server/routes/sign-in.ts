import { type Session, signIn, signOut } from '../../access/sign-in.ts'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../create-server.ts'
import { servePage } from '../page-route.ts'
import {
  clearSession,
  readForm,
  readSession,
  readSessionSecret,
  requireFormSession,
  setSession,
} from '../page-session.ts'
import type { Viewer } from '../pages/pull-request-page.ts'
import { renderSignInPage } from '../pages/sign-in-page.ts'
import type { ServerParts } from '../server-parts.ts'

/** Signing in with an owner's link, and out. */
export function addSignIn(app: DocentServer, parts: ServerParts): void {
  app.get(
    '/sign-in',
    servePage(async (c) => {
      const token = c.req.query('token') ?? null
      const session = await readSession(c, parts)
      return c.html(await renderSignInPage({ token, viewer: session && viewerOf(session) }), 200)
    }),
  )
  app.post(
    '/sign-in',
    servePage(async (c) => {
      const { link } = await readForm(c)
      const secret = typeof link === 'string' ? await signIn(parts, link) : null
      if (secret === null) {
        throw new AppError(
          'form_expired',
          'This link was used before, or is older than an hour. Make another with: docent owner-link',
        )
      }
      // The browser forgets the session that it had, so that nobody could end it any more.
      await signOut(parts, readSessionSecret(c, parts) ?? '')
      setSession(c, parts, secret)
      return c.redirect('/pull-requests', 303)
    }),
  )
  app.post(
    '/sign-out',
    servePage(async (c) => {
      await requireFormSession(c, parts, await readForm(c))
      await signOut(parts, readSessionSecret(c, parts) ?? '')
      clearSession(c, parts)
      return c.redirect('/sign-in', 303)
    }),
  )
}

export function viewerOf({ user, formToken }: Session): Viewer {
  return { name: user.name, formToken }
}
