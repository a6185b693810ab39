import type { Bot } from '../store/bots/bots.ts'
import type { BotPlatformName } from '../contract/bot-platforms.ts'
import type { BotAccess, BotConnection } from './bot-platform.ts'
import type { BotCredentials, BotSecrets } from './bot-secrets.ts'

export interface BotAccessDeps {
  botSecrets: BotSecrets
  fetch: typeof fetch
  apiUrls: Readonly<Record<BotPlatformName, string>>
}

/** What a bot calls its platform with. @throws {SealedSecretError} */
export function openBotAccess(deps: BotAccessDeps, bot: Bot, signal: AbortSignal): BotAccess {
  const connection = openConnection(deps, bot.platform, deps.botSecrets.open(bot), signal)
  return { ...connection, account: bot.account }
}

/** The same for credentials that are not stored yet. */
export function openConnection(
  { fetch, apiUrls }: BotAccessDeps,
  platform: BotPlatformName,
  credentials: BotCredentials,
  signal: AbortSignal,
): BotConnection {
  return { fetch, apiUrl: apiUrls[platform], credentials, signal }
}
