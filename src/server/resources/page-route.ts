import { AppError } from '../../contract/app-error.ts'
import type { AppContext } from '../app-env.ts'
import { toErrorReply } from '../replies/error-response.ts'
import { readAcceptedType } from '../pages/accepted-type.ts'
import { pageHeaders } from '../pages/page-headers.ts'
import { renderProblem } from '../pages/problem-page.ts'

/** Private pages run no scripts, are not cached, and send no referrer. */
export const privatePageHeaders = {
  ...pageHeaders,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const

/** Shows errors to browsers as a page; programs get the error body, as everywhere. */
export function servePage(handle: (c: AppContext) => Promise<Response>): (c: AppContext) => Promise<Response> {
  return async (c) => {
    for (const [name, value] of Object.entries(privatePageHeaders)) c.header(name, value)
    try {
      return await handle(c)
    } catch (error) {
      if (!(error instanceof AppError) || readAcceptedType(c.req.header('accept')) !== 'html') throw error
      const requestId = c.get('requestId')
      const { status, headers, body } = toErrorReply(error, requestId)
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      const title = status === 404 ? 'Page not found' : 'This cannot be done'
      return c.html(await renderProblem({ title, message: body.error, requestId }, null), status)
    }
  }
}
