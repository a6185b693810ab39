import { type Command, Option } from 'commander'
import { type WebhookEventType, webhookEventTypes } from '../contract/webhooks.ts'
import type { Output } from './output.ts'
import { addWebhook, listWebhooks, listWebhookDeliveries, removeWebhook, testWebhook } from './webhook.ts'

/** `docent webhook …`: manages webhook endpoints. */
export function addWebhookCommands(program: Command, output: () => Output): void {
  const webhook = program.command('webhook').description('notify other services of events')
  webhook
    .command('add')
    .description('add an endpoint; its signing secret is shown only once')
    .argument('<url>', 'receives POST requests')
    .option('--name <name>', 'display name (default: the URL)')
    .addOption(
      new Option('--event <event>', 'event to send, repeatable (default: all)')
        .choices(webhookEventTypes)
        .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]),
    )
    .action((url: string, options: { name?: string; event?: WebhookEventType[] }) =>
      addWebhook(output(), { url, name: options.name, events: options.event }),
    )
  webhook
    .command('list')
    .description('list the endpoints and their state')
    .action(() => listWebhooks(output()))
  webhook
    .command('test')
    .description('send a test event')
    .argument('<id>')
    .action((id: string) => testWebhook(output(), id))
  webhook
    .command('deliveries')
    .description('list recent deliveries')
    .argument('<id>')
    .action((id: string) => listWebhookDeliveries(output(), id))
  webhook
    .command('remove')
    .description('remove an endpoint')
    .argument('<id>')
    .action((id: string) => removeWebhook(output(), id))
}
