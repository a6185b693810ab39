import { giteaWebhook } from './gitea/gitea-webhook.ts'
import { githubWebhook } from './github/github-webhook.ts'
import { gitlabWebhook } from './gitlab/gitlab-webhook.ts'
import type { WebhookReader } from './webhooks/webhook-event.ts'

/** How webhooks are read, by the kind of host in their address. */
export const webhookReaders = {
  github: githubWebhook,
  gitlab: gitlabWebhook,
  gitea: giteaWebhook,
} as const satisfies Record<string, WebhookReader>

export type WebhookKind = keyof typeof webhookReaders
