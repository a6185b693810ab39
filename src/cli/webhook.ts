import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import {
  type WebhookEndpointResource,
  type WebhookEventType,
  webhookEventTypes,
  type WebhookSendResource,
} from '../contract/webhooks.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

export interface WebhookOptions {
  url: string
  name: string | undefined
  events: WebhookEventType[] | undefined
}

const nameCharsMax = 200

/** `docent webhook add`. */
export async function addWebhook(output: Output, { url, name, events }: WebhookOptions): Promise<void> {
  const endpoint = { url, name: name ?? url.slice(0, nameCharsMax), events: events ?? [...webhookEventTypes] }
  const created = await withClient((client) => client.createWebhookEndpoint({ body: endpoint }))
  output.result(
    created,
    () => `${created.secret}\n\nThis is ${created.id}. The secret is shown this once: keep it now.`,
  )
}

/** `docent webhook list`: all of them. */
export async function listWebhooks(output: Output): Promise<void> {
  const endpoints = await withClient((client) =>
    listAll((cursor) => client.listWebhookEndpoints({ query: { cursor } })),
  )
  output.result(endpoints, () =>
    formatTable(
      ['ID', 'NAME', 'URL', 'EVENTS', 'STATE'],
      endpoints.map((each) => [each.id, each.name, each.url, each.events.join(','), describeState(each)]),
    ),
  )
}

/** `docent webhook test`: what came of it stands in the log of deliveries. */
export async function testWebhook(output: Output, id: string): Promise<void> {
  const send = await withClient((client) => client.testWebhookEndpoint({ params: { id } }))
  output.result(send, () => `The test webhook is queued. To see the result: ${nameCommand(`webhook deliveries ${id}`)}`)
}

/** `docent webhook deliveries`: the newest. */
export async function listWebhookDeliveries(output: Output, id: string): Promise<void> {
  const { items } = await withClient((client) => client.listWebhookDeliveries({ params: { id } }))
  output.result(items, () =>
    formatTable(['ID', 'EVENT', 'STATE', 'TRIES', 'STATUS', 'LAST TRY', 'FAILURE'], items.map(toRow)),
  )
}

/** `docent webhook remove`. */
export async function removeWebhook(output: Output, id: string): Promise<void> {
  await withClient((client) => client.deleteWebhookEndpoint({ params: { id } }))
  output.result({ removed: id }, () => `${id} is removed.`)
}

function describeState({ enabled, disabledReason, failingSince }: WebhookEndpointResource): string {
  if (!enabled) return disabledReason ?? 'off'
  return failingSince === null ? 'on' : `failing since ${failingSince}`
}

function toRow({ id, type, state, tries, status, triedAt, failure }: WebhookSendResource): string[] {
  return [id, type, state, String(tries), status === null ? '' : String(status), triedAt ?? 'never', failure ?? '']
}
