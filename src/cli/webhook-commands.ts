import { type Command, Option } from 'commander'
import { type WebhookEventType, webhookEventTypes } from '../contract/webhooks.ts'
import type { Output } from './output.ts'
import { addWebhook, listWebhooks, listWebhookDeliveries, removeWebhook, testWebhook } from './webhook.ts'

/** `docent webhook …`: the addresses that are told what happens. */
export function addWebhookCommands(program: Command, output: () => Output): void {
  const webhook = program.command('webhook').description('tell other services what happens')
  webhook
    .command('add')
    .description('add an address; the secret that signs what it gets is shown once')
    .argument('<url>', 'takes a POST')
    .option('--name <name>', 'for people; the address without it')
    .addOption(
      new Option('--event <event>', 'what it is told, again for each; everything without it')
        .choices(webhookEventTypes)
        .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]),
    )
    .action((url: string, options: { name?: string; event?: WebhookEventType[] }) =>
      addWebhook(output(), { url, name: options.name, events: options.event }),
    )
  webhook
    .command('list')
    .description('list the addresses, and whether they answer')
    .action(() => listWebhooks(output()))
  webhook
    .command('test')
    .description('send a test')
    .argument('<id>')
    .action((id: string) => testWebhook(output(), id))
  webhook
    .command('deliveries')
    .description('list what was sent lately')
    .argument('<id>')
    .action((id: string) => listWebhookDeliveries(output(), id))
  webhook
    .command('remove')
    .description('remove an address')
    .argument('<id>')
    .action((id: string) => removeWebhook(output(), id))
}
