import type { MiddlewareHandler } from 'hono/types'
import type { AgentForm } from '../../insights/agents-seen.ts'
import { type CallerHeaders, classifyAgent } from '../../insights/classify-agent.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

export function readCallerHeaders(c: AppContext): CallerHeaders {
  return {
    userAgent: c.req.header('user-agent'),
    accept: c.req.header('accept'),
    acceptLanguage: c.req.header('accept-language'),
    secFetchMode: c.req.header('sec-fetch-mode'),
    signatureAgent: c.req.header('signature-agent'),
  }
}

/** Null if the caller asks not to be followed. */
export function readVisitor(c: AppContext): string | null {
  return c.req.header('dnt') === '1' || c.req.header('sec-gpc') === '1' ? null : c.get('clientAddress')
}

/** Counts agents on the pages and files of a site. People are not counted. */
export function recordAgents(deps: ServerDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next()
    const [, , domain = '', ...rest] = c.req.path.split('/')
    const { status, headers } = c.res
    const isMissed = status === 404
    if (c.req.method !== 'GET' || rest[0] === 'mcp' || !(status === 200 || status === 304 || isMissed)) return
    const agent = classifyAgent(readCallerHeaders(c))
    const site = agent && (await deps.sites.find(domain).catch(() => null))
    if (agent === null || site === null) return
    const path = `/${rest.join('/')}`
    const form = isMissed ? 'html' : findForm(path, headers.get('content-type') ?? '')
    const subject = form === 'files' ? '' : path.replace(/\.mdx?$/, '')
    deps.agentsSeen.note({ siteId: site.id, agent, form, subject, isMissed, address: readVisitor(c) })
  }
}

const agentFile = /^\/(?:\.well-known\/|llms|(?:skill\.md|sitemap|feed|robots\.txt))/

function findForm(path: string, contentType: string): AgentForm {
  if (agentFile.test(path)) return 'files'
  return contentType.startsWith('text/html') ? 'html' : 'markdown'
}
