import { type Command, Option } from 'commander'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import {
  type WebhookEndpointResource,
  type WebhookEventType,
  webhookEventTypes,
  type WebhookSendResource,
} from '../contract/webhooks.ts'
import { printReply, withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { collect } from './option-values.ts'

const nameCharsMax = 200

/** `docent webhook …`: manages webhook endpoints. */
export function addWebhookCommands(program: Command, output: () => Output): void {
  const webhook = program.command('webhook').description('notify other services of events')
  webhook
    .command('add')
    .description('add an endpoint; its signing secret is shown only once')
    .argument('<url>', 'receives POST requests')
    .option('--name <name>', 'display name (default: the URL)')
    .addOption(
      new Option('--event <event>', 'an event to send; repeatable (default: all)')
        .choices(webhookEventTypes)
        .argParser(collect),
    )
    .action((url: string, { name, event }: { name?: string; event?: WebhookEventType[] }) => {
      const body = { url, name: name ?? url.slice(0, nameCharsMax), events: event ?? [...webhookEventTypes] }
      return printReply(
        output(),
        (client) => client.createWebhookEndpoint({ body }),
        ({ id, secret }) => `${secret}\n\nCreated ${id}. The secret is shown only once: store it now.`,
      )
    })
  webhook
    .command('list')
    .description('list the endpoints and their state')
    .action(() =>
      printReply(
        output(),
        (client) => listAll((cursor) => client.listWebhookEndpoints({ query: { cursor } })),
        (endpoints) => formatTable(['ID', 'NAME', 'URL', 'EVENTS', 'STATE'], endpoints.map(toEndpointRow)),
      ),
    )
  webhook
    .command('test <id>')
    .description('send a test event')
    .action((id: string) =>
      printReply(
        output(),
        (client) => client.testWebhookEndpoint({ params: { id } }),
        () => `A test webhook is queued. To see the result: ${nameCommand(`webhook deliveries ${id}`)}`,
      ),
    )
  webhook
    .command('deliveries <id>')
    .description('list recent deliveries')
    .action(async (id: string) => {
      const { items } = await withClient((client) => client.listWebhookDeliveries({ params: { id } }))
      const headings = ['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'STATUS', 'LAST ATTEMPT', 'FAILURE']
      output().result(items, () => formatTable(headings, items.map(toSendRow)))
    })
  webhook
    .command('remove <id>')
    .description('remove an endpoint')
    .action(async (id: string) => {
      await withClient((client) => client.deleteWebhookEndpoint({ params: { id } }))
      output().result({ removed: id }, () => `Removed ${id}.`)
    })
}

function toEndpointRow(endpoint: WebhookEndpointResource): string[] {
  const { id, name, url, events, enabled, disabledReason, failingSince } = endpoint
  const state = failingSince === null ? 'on' : `failing since ${failingSince}`
  return [id, name, url, events.join(','), enabled ? state : (disabledReason ?? 'off')]
}

function toSendRow({ id, type, state, tries, status, triedAt, failure }: WebhookSendResource): string[] {
  return [id, type, state, String(tries), status === null ? '' : String(status), triedAt ?? 'never', failure ?? '']
}
