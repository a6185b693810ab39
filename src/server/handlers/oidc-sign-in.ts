import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { findOidcMember } from '../../access/sign-in/oidc-member.ts'
import { oidcFlowMs, type OidcSignIn } from '../../access/sign-in/oidc-sign-in.ts'
import { readReturnTo } from '../../access/sign-in/return-to.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { servePage } from '../resources/page-route.ts'
import { isSecure, replaceSession } from '../requests/page-session.ts'
import { auditUser, recordAudit } from '../requests/record-audit.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import type { ServerDeps } from '../server-deps.ts'

const homePath = '/dashboard'

/** Redirects the browser to the provider. */
export function startOidcSignIn(c: AppContext, deps: ServerDeps, returnTo: string | undefined): Promise<Response> {
  return servePage(async () => {
    const oidc = requireProvider(deps)
    const { url, flow } = await withLoggedCause(c, () => oidc.start(readReturnTo(returnTo, homePath)))
    setCookie(c, flowCookie(deps), flow, {
      path: '/',
      httpOnly: true,
      // The provider redirects from its own site; with `Strict` the browser would not send the cookie.
      sameSite: 'Lax',
      secure: isSecure(deps.baseUrl),
      maxAge: oidcFlowMs / 1_000,
    })
    return c.redirect(url, 302)
  })(c)
}

/** Adds the page that the provider redirects back to. */
export function addAuthOidc(app: DocentServer, deps: ServerDeps): void {
  app.get(
    '/auth/oidc/callback',
    servePage((c) => finish(c, deps, requireProvider(deps))),
  )
}

async function finish(c: AppContext, deps: ServerDeps, oidc: OidcSignIn): Promise<Response> {
  const flow = getCookie(c, flowCookie(deps))
  deleteCookie(c, flowCookie(deps), { path: '/', secure: isSecure(deps.baseUrl) })
  try {
    const { person, returnTo } = await oidc.finish(new URL(c.req.url).search, flow)
    const { user, outcome } = await findOidcMember(deps, oidc.options, { person, organizationId: localOrganizationId })
    await replaceSession(c, deps, user.id)
    if (outcome !== 'known') await recordAudit(c, deps, { action: `member-${outcome}` }, auditUser(user))
    await recordAudit(c, deps, { action: 'session-begun' }, auditUser(user))
    return c.redirect(returnTo, 303)
  } catch (error) {
    if (error instanceof AppError && error.code === 'sign_in_failed') {
      c.get('log').warn({ error: error.cause ?? error }, 'oidc-sign-in-failed')
      const actor = { kind: 'anonymous' as const, id: null, name: 'Somebody' }
      await recordAudit(c, deps, { action: 'sign-in-failed' }, { organizationId: localOrganizationId, actor })
    }
    throw error
  }
}

/** Provider faults are logged for the operator of this server. */
async function withLoggedCause<Result>(c: AppContext, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    c.get('log').warn({ error: error instanceof Error ? (error.cause ?? error) : error }, 'oidc-sign-in-failed')
    throw error
  }
}

function requireProvider({ oidc }: ServerDeps): OidcSignIn {
  if (oidc !== null) return oidc
  throw new AppError(
    'not_found',
    'No OpenID Connect provider is configured. Set DOCENT_OIDC_ISSUER, or use a password.',
  )
}

function flowCookie({ baseUrl }: ServerDeps): string {
  return isSecure(baseUrl) ? '__Host-docent_oidc' : 'docent_oidc'
}
