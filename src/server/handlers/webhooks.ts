import type { z } from 'zod'
import { forgeAdapters } from '../../codehost/forge-adapters.ts'
import type { SignedWebhook, WebhookDelivery, WebhookReader } from '../../codehost/webhooks/webhook-event.ts'
import { webhookSecretOf } from '../../codehost/webhooks/webhook-secret.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ForgeKind } from '../../contract/code-hosts.ts'
import type { receivedWebhookOperations } from '../../contract/operations/webhooks.ts'
import type { webhookReceiptSchema } from '../../contract/webhooks.ts'
import { type CodeHostApp, listCodeHostAppsByNumber } from '../../store/hosting/code-host-apps.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getSite } from '../../store/sites/sites.ts'
import { insertWebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts'
import type { AppContext } from '../app-env.ts'
import { BodyReading } from '../bodies/body-reading.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Far above what hosts send: GitHub truncates at 25 MB, and puts what matters into the first kilobytes. */
const bodyBytesMax = 5 * 1024 * 1024

/** Endpoints called by code hosts. Authenticated by a signature over the body, not by key or session. */
export function createReceivedWebhookHandlers(deps: ServerDeps): Handlers<typeof receivedWebhookOperations> {
  return {
    receiveSiteWebhook: ({ c, params: { kind, siteId } }) =>
      useWebhook(c, deps, kind, (received) => receiveOfSite(deps, received, siteId)),

    receiveAppWebhook: ({ c }) => useWebhook(c, deps, 'github', (received) => receiveOfApp(c, deps, received)),
  }
}

type Receipt = z.input<typeof webhookReceiptSchema>

async function receiveOfSite(deps: ServerDeps, { reader, webhook }: ReceivedWebhook, siteId: string): Promise<Receipt> {
  // Every id has a secret, so that an unknown id costs as much and is refused the same way.
  const secret = webhookSecretOf(deps.webhookKey, siteId)
  const isSigned = reader.isSigned(webhook, secret, deps.clock.now())
  const site = isSigned ? await getSite(deps.store.durable, siteId) : null
  const project = site === null ? null : await getProject(deps.store.durable, site.projectId)
  if (project === null) throw refused()
  const owner = { source: `site:${siteId}`, organizationId: project.organizationId, siteId }
  return keep(deps, [owner], reader.readDelivery(webhook))
}

async function receiveOfApp(c: AppContext, deps: ServerDeps, { reader, webhook }: ReceivedWebhook): Promise<Receipt> {
  const appId = c.req.header('x-github-hook-installation-target-id') ?? ''
  const apps = await listCodeHostAppsByNumber(deps.store.durable, { kind: 'github', appId })
  const signed = apps.filter((app) => {
    const secret = deps.appSecrets.openWebhookSecret(app)
    return secret !== null && secret !== '' && reader.isSigned(webhook, secret, deps.clock.now())
  })
  if (signed.length === 0) throw refused()
  const owners = signed.map(({ id, organizationId }: CodeHostApp) => {
    return { source: `app:${id}`, organizationId, siteId: null }
  })
  return keep(deps, owners, reader.readDelivery(webhook))
}

interface ReceivedWebhook {
  reader: WebhookReader
  webhook: SignedWebhook
}

/** Anyone may send one, so it needs a place like every other body, and its memory is freed immediately. */
async function useWebhook(
  c: AppContext,
  { bodyPlaces }: ServerDeps,
  kind: ForgeKind,
  receive: (received: ReceivedWebhook) => Promise<Receipt>,
): Promise<Receipt> {
  const reader = forgeAdapters[kind].webhook
  const { headers } = c.req.raw
  if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'Choose application/json as the content type of the webhook.')
  }
  if (!reader.carriesSignature(headers)) throw refused()
  // Parsed only once its signature is verified.
  const reading = new BodyReading(c, bodyPlaces, bodyBytesMax, null)
  return reading.use((body) => receive({ reader, webhook: { headers, body: body.bytes } }))
}

/** The site or App that the webhook belongs to. */
interface WebhookOwner {
  source: string
  organizationId: string
  siteId: string | null
}

async function keep(
  { store, ids, clock, wakeWebhooks }: ServerDeps,
  owners: readonly WebhookOwner[],
  { deliveryId, event }: WebhookDelivery,
): Promise<Receipt> {
  const ignoredFor = event.type === 'ignored' ? event.reason : null
  const receivedAt = clock.now()
  let isNew = false
  for (const owner of owners) {
    const delivery = { id: ids.prefixed('whr'), ...owner, deliveryId, event, ignoredFor, receivedAt }
    if (await insertWebhookDelivery(store.durable, delivery)) isNew = true
  }
  if (isNew && ignoredFor === null) wakeWebhooks()
  const state = !isNew ? 'repeated' : ignoredFor === null ? 'queued' : 'ignored'
  return { state, message: ignoredFor ?? messages[state] }
}

const messages = {
  queued: 'Docent will process it shortly.',
  ignored: 'No action is needed.',
  repeated: 'It was already received.',
} as const

function refused(): AppError {
  return new AppError(
    'webhook_refused',
    'The webhook is not signed with the secret of this address. Copy address and secret again from Docent.',
  )
}
