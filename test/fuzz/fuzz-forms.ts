import fc from 'fast-check'
import { exchange, judgeReply } from './exchange.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText } from './hostile-values.ts'

const paths = [
  '/sign-in',
  '/sign-in?token=x',
  '/pull-requests',
  '/pull-requests/none/merge',
  '/auth/oidc/callback?state=x',
]
const fields = ['email', 'password', 'link', 'token', 'name', 'body', '__proto__', 'constructor', '']

const form = fc
  .array(fc.tuple(fc.constantFrom(...fields), fc.oneof(hostileText, fc.emailAddress())), { maxLength: 5 })
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString())

const input = fc.record({
  method: fc.constantFrom('POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom(...paths),
    hostileText.map((text) => `/sites/docs/${escapePath(text)}`),
    hostileText.map((text) => `/dashboard/${escapePath(text)}`),
    hostileText.map((text) => `/pull-requests/${escapePath(text)}`),
  ),
  body: fc.oneof({ weight: 4, arbitrary: form }, { weight: 1, arbitrary: hostileText }),
  type: fc.constantFrom(
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=x',
    'multipart/form-data',
    '',
  ),
  cookie: fc.oneof(
    fc.constantFrom('', 'docent_session=', 'docent_session=x; docent_session=y', 'a=%ff; docent_session=%00'),
    hostileText,
  ),
  origin: fc.constantFrom('', 'null', 'https://evil.example', 'http://127.0.0.1'),
  isSignedIn: fc.boolean(),
})

function escapePath(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 4_000).replace(/%.?$/, '')
}

/** Pages, and the forms of pages that need no script, with and without a session. */
export function fuzzForms(service: FuzzedService): FuzzTarget {
  return makeTarget({
    name: 'pages and forms',
    share: 0.06,
    arbitrary: input,
    async check({ method, path, body, type, cookie, origin, isSignedIn }) {
      const asked = isSignedIn ? service.cookie : cookie.replace(/[^\x20-\x7e]/g, '').slice(0, 4_000)
      const sends = method !== 'GET' && method !== 'HEAD'
      const headers = {
        cookie: asked,
        ...(type !== '' && { 'content-type': type }),
        ...(origin !== '' && { origin }),
        ...(sends && { 'content-length': String(Buffer.byteLength(body)) }),
      }
      const reply = await exchange(service.url, { method, path, headers, body: sends ? body : undefined }, true)
      judgeReply({ method, path }, reply)
      const policy = reply.headers['content-security-policy']
      const isHtml = String(reply.headers['content-type']).startsWith('text/html')
      if (isHtml && policy === undefined) throw new Error(`A page without a content security policy: ${reply.status}`)
    },
  })
}
