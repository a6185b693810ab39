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

export async function addWebhook(output: Output, { url, name, events }: WebhookOptions): Promise<void> {
  const endpoint = { url, name: name ?? url.slice(0, nameCharsMax), events: events ?? [...webhookEventTypes] }
  const created = await withClient((client) => client.createWebhookEndpoint({ body: endpoint }))
  output.result(
    created,
    () => `${created.secret}\n\nCreated ${created.id}. The secret is shown only once: store it now.`,
  )
}

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

/** `docent webhook test`: the delivery log shows the outcome. */
export async function testWebhook(output: Output, id: string): Promise<void> {
  const send = await withClient((client) => client.testWebhookEndpoint({ params: { id } }))
  output.result(send, () => `A test webhook is queued. To see the result: ${nameCommand(`webhook deliveries ${id}`)}`)
}

/** `docent webhook deliveries`: the latest page. */
export async function listWebhookDeliveries(output: Output, id: string): Promise<void> {
  const { items } = await withClient((client) => client.listWebhookDeliveries({ params: { id } }))
  output.result(items, () =>
    formatTable(['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'STATUS', 'LAST ATTEMPT', 'FAILURE'], items.map(toRow)),
  )
}

export async function removeWebhook(output: Output, id: string): Promise<void> {
  await withClient((client) => client.deleteWebhookEndpoint({ params: { id } }))
  output.result({ removed: id }, () => `Removed ${id}.`)
}

function describeState({ enabled, disabledReason, failingSince }: WebhookEndpointResource): string {
  if (!enabled) return disabledReason ?? 'off'
  return failingSince === null ? 'on' : `failing since ${failingSince}`
}

function toRow({ id, type, state, tries, status, triedAt, failure }: WebhookSendResource): string[] {
  return [id, type, state, String(tries), status === null ? '' : String(status), triedAt ?? 'never', failure ?? '']
}
