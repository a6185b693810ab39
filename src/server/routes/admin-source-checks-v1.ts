import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { webhookSecretOf } from '../../codehost/webhooks/webhook-secret.ts'
import { AppError } from '../../contract/app-error.ts'
import { isForgeKind, listForges } from '../../contract/code-hosts.ts'
import {
  type SiteWebhookResource,
  siteWebhookSchema,
  siteWebhookSetupSchema,
  type SourceCheck,
  type SourceCheckRequest,
  sourceCheckRequestSchema,
  sourceCheckSchema,
} from '../../contract/source-check.ts'
import type { RemoteSource } from '../../git/mirrors.ts'
import { addSiteWebhook } from '../../sites/add-site-webhook.ts'
import { checkPlainSource, findLocalKind, isPlainKind } from '../../sites/check-plain-source.ts'
import type { CandidateSource } from '../../sites/forges.ts'
import type { Site } from '../../store/sites.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireSourceFolder } from '../require-source-folder.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const security = [{ adminKey: [] }]

/** Longest time for all steps of a check together. */
const checkMsMax = 120_000

const checkRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/check-source',
  tags: ['Sites'],
  security,
  summary: 'Try out what a site needs of its repository',
  description:
    'Finds the code host of an address, tries every permission of the credential with a real call, and looks for the branch and the documentation. Of a folder or a repository on the machine of the server the files are looked at. Nothing is changed. Takes seconds, for a large repository up to two minutes.',
  request: { body: { required: true, content: { 'application/json': { schema: sourceCheckRequestSchema } } } },
  responses: {
    200: { description: 'Each step.', content: { 'application/json': { schema: sourceCheckSchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const webhookRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/webhook',
  tags: ['Sites'],
  security,
  summary: 'Show what the code host needs to send the webhooks of a site',
  description: 'The address and the secret, which somebody enters in the settings of the repository.',
  request: { params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }) },
  responses: {
    200: { description: 'The webhook.', content: { 'application/json': { schema: siteWebhookSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const addWebhookRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/webhook/add',
  tags: ['Sites'],
  security,
  summary: 'Have the code host of a site tell of changes',
  description:
    'Adds a webhook to the repository, or brings the one to the same address up to date, where the credential of the site may and the code host can reach the service.',
  request: { params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }) },
  responses: {
    200: {
      description: 'What was done, or what to do by hand.',
      content: { 'application/json': { schema: siteWebhookSetupSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

/** Longest time for asking the code host. */
const addMsMax = 30_000

export function addAdminSourceChecks(app: DocentServer, parts: ServerParts): void {
  app.openapi(checkRoute, async (c) => {
    const request = c.req.valid('json')
    await requireSourceFolder(c, parts, request.source?.location)
    const candidate = await readCandidate(c, parts, request)
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(checkMsMax)])
    return reply(c, sourceCheckSchema, await checkCandidate(parts, candidate, signal), 200)
  })

  app.openapi(webhookRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const webhook = describeWebhook(parts, site)
    const target = { kind: 'site', id: site.id, name: site.slug }
    await recordAudit(c, parts, { action: 'webhook-shown', target })
    return reply(c, siteWebhookSchema, webhook, 200)
  })

  app.openapi(addWebhookRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const webhook = describeWebhook(parts, site)
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(addMsMax)])
    const setup = await addSiteWebhook(parts, { site, webhook }, signal)
    const target = { kind: 'site', id: site.id, name: site.slug }
    if (setup.state === 'added') await recordAudit(c, parts, { action: 'webhook-added', target })
    return reply(c, siteWebhookSetupSchema, setup, 200)
  })
}

async function checkCandidate(
  parts: ServerParts,
  candidate: CandidateSource,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const { forges, host } = parts
  const { source, credential, reader } = candidate
  const kind = source.kind ?? (await findLocalKind(source.location))
  if (kind === undefined || !isPlainKind(kind)) return forges.checkAccess(candidate, signal)
  const deps = {
    repositoryFolder: host.repositoryFolder,
    findTip: (remote: RemoteSource, signal: AbortSignal) => forges.findTip(remote, signal),
  }
  return checkPlainSource(deps, { source: { ...source, kind }, credential, reader }, signal)
}

async function readCandidate(c: AppContext, parts: ServerParts, request: SourceCheckRequest): Promise<CandidateSource> {
  const organizationId = c.get('organizationId')
  if (request.source !== undefined) {
    const { source, credential } = request
    return { organizationId, source, credential: credential ?? null, reader: `candidate:${organizationId}` }
  }
  const site = await findOwnSite(c, parts, request.site ?? '')
  const { id, source, sourceCredentialSealed } = site
  const stored = sourceCredentialSealed === null ? null : parts.secrets.openCredential(id, sourceCredentialSealed)
  return { organizationId, source, credential: request.credential ?? stored, reader: id }
}

/** Shown again whenever it is asked for, because it is derived and not stored. */
function describeWebhook(parts: ServerParts, site: Site): SiteWebhookResource {
  const { kind } = site.source
  if (!isForgeKind(kind)) {
    throw new AppError(
      'invalid_request',
      `The site ${site.slug} is not read from ${listForges('or')}, so nothing would send webhooks.`,
    )
  }
  return {
    url: `${parts.baseUrl}/webhooks/${kind}/${site.id}`,
    secret: webhookSecretOf(parts.webhookKey, site.id),
  }
}
