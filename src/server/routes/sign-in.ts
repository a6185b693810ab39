import type { DocentServer } from '../app-env.ts'

/** URLs in sign-in and invitation links. They lead to the dashboard, which uses up a link only on request. */
export function addSignIn(app: DocentServer): void {
  app.get('/sign-in', (c) => {
    c.header('Cache-Control', 'private, no-store')
    c.header('Referrer-Policy', 'no-referrer')
    const token = c.req.query('token')
    return c.redirect(
      token === undefined ? '/dashboard/sign-in' : `/dashboard/accept?token=${encodeURIComponent(token)}`,
      302,
    )
  })
}
