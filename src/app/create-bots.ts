import type { AnswerDeps } from '../assistant/answer-question.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { BotAccessDeps } from '../bots/bot-access.ts'
import { BotSecrets } from '../bots/bot-secrets.ts'
import { ConversationKeys } from '../bots/conversation-keys.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import { traceFetch } from '../telemetry/trace-fetch.ts'
import { BotWorker } from '../worker/bot-worker.ts'
import type { Foundation } from './foundation.ts'

/** Bots on chat platforms. */
export interface Bots {
  access: BotAccessDeps & { keys: ConversationKeys; wake(): void }
  worker: BotWorker
}

export function createBots(foundation: Foundation, answers: AnswerDeps, sites: LiveSites): Bots {
  const { settings, deriveKey } = foundation
  const { slackUrl, discordApiUrl, limitKeyPerMonth, limitOrgPerHour } = settings
  const access: BotAccessDeps & { keys: ConversationKeys } = {
    botSecrets: new BotSecrets(deriveKey('bots')),
    keys: new ConversationKeys(deriveKey('chat-conversations')),
    // The hosts are the platforms' own or set by the operator.
    fetch: traceFetch(createGuardedFetch({ allowsPrivateAddresses: true })),
    apiUrls: { slack: slackUrl, discord: discordApiUrl },
  }
  const worker = new BotWorker({
    ...foundation,
    ...access,
    answers,
    sites,
    masksStored: settings.maskStored,
    limits: { keyPerMonth: limitKeyPerMonth, organizationPerHour: limitOrgPerHour },
  })
  return { access: { ...access, wake: () => worker.wake() }, worker }
}
