import type { DocentServer } from '../app-env.ts'

/** The addresses of links that were sent: they lead to the dashboard, which uses a link up only when asked to. */
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
