import { webhookSecretOf } from '../../codehost/webhooks/webhook-secret.ts'
import { AppError } from '../../contract/app-error.ts'
import { isForgeKind, listForges } from '../../contract/code-hosts.ts'
import type { sourceCheckOperations } from '../../contract/operations/sites.ts'
import type { SiteWebhookResource, SourceCheck, SourceCheckRequest } from '../../contract/source-check.ts'
import type { RemoteSource } from '../../git/remotes/mirrors.ts'
import { addSiteWebhook } from '../../sites/add-site-webhook.ts'
import { checkForgelessSource, findLocalKind, isForgelessKind } from '../../sites/sources/check-forgeless-source.ts'
import type { CandidateSource } from '../../sites/forges.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import { requireSourceFolder } from '../requests/require-source-folder.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Longest time for all steps of a check. */
const checkMsMax = 120_000

/** Longest time for a request to the code host. */
const addMsMax = 30_000

export function createSourceCheckHandlers(deps: ServerDeps): Handlers<typeof sourceCheckOperations> {
  return {
    checkSource: async ({ c, body: request }) => {
      await requireSourceFolder(c, deps, request.source?.location)
      const candidate = await readCandidate(c, deps, request)
      const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(checkMsMax)])
      return checkCandidate(deps, candidate, signal)
    },

    showSiteWebhook: async ({ site }) => {
      const webhook = describeWebhook(deps, site)
      const target = { kind: 'site', id: site.id, name: site.slug }
      return { reply: webhook, audit: { target } }
    },

    addSiteWebhook: async ({ c, site }) => {
      const webhook = describeWebhook(deps, site)
      const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(addMsMax)])
      const setup = await addSiteWebhook(deps, { site, webhook }, signal)
      const target = { kind: 'site', id: site.id, name: site.slug }
      return { reply: setup, audit: setup.state === 'added' ? { target } : null }
    },
  }
}

async function checkCandidate(
  { forges, host, allowsPrivateAddresses }: Pick<ServerDeps, 'forges' | 'host' | 'allowsPrivateAddresses'>,
  candidate: CandidateSource,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const { source, credential, reader } = candidate
  const kind = source.kind ?? (await findLocalKind(source.location))
  if (kind === undefined || !isForgelessKind(kind)) return forges.checkAccess(candidate, signal)
  const deps = {
    repositoryFolder: host.repositoryFolder,
    allowsPrivateAddresses,
    findTip: (remote: RemoteSource, signal: AbortSignal) => forges.findTip(remote, signal),
  }
  return checkForgelessSource(deps, { source: { ...source, kind }, credential, reader }, signal)
}

async function readCandidate(c: AppContext, deps: ServerDeps, request: SourceCheckRequest): Promise<CandidateSource> {
  const organizationId = c.get('organizationId')
  if (request.source !== undefined) {
    const { source, credential } = request
    return { organizationId, source, credential: credential ?? null, reader: `candidate:${organizationId}` }
  }
  const site = await findOwnSite(c, deps, request.site ?? '')
  const { id, source, sourceCredentialSealed } = site
  const stored = sourceCredentialSealed === null ? null : deps.secrets.openCredential(id, sourceCredentialSealed)
  return { organizationId, source, credential: request.credential ?? stored, reader: id }
}

/** Can be shown again at any time, because it is derived rather than stored. */
function describeWebhook(deps: ServerDeps, site: Site): SiteWebhookResource {
  const { kind } = site.source
  if (!isForgeKind(kind)) {
    throw new AppError(
      'invalid_request',
      `The site ${site.slug} is not read from ${listForges('or')}, so nothing would send webhooks.`,
    )
  }
  return {
    url: `${deps.baseUrl}/webhooks/${kind}/${site.id}`,
    secret: webhookSecretOf(deps.webhookKey, site.id),
  }
}
