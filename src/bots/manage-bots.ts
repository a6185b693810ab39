import type { IdSource } from '../base/ids.ts'
import type { BotPlatformName } from '../contract/bot-platforms.ts'
import { type BotConnect, botSettingsSchema } from '../contract/bots.ts'
import { type Bot, findBot, saveBot, updateBot } from '../store/bots/bots.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { openBotAccess, openConnection, type BotAccessDeps } from './bot-access.ts'
import { botPlatformOf } from './bot-platforms.ts'

export interface ManageBotsDeps extends StoreDeps, BotAccessDeps {
  ids: IdSource
}

/** Stores a bot after trying its token. @throws {AppError} `invalid_request`; {BotApiError}: nothing is stored then. */
export async function connectBot(
  deps: ManageBotsDeps,
  { siteId, platform, input }: { siteId: string; platform: BotPlatformName; input: BotConnect },
  signal: AbortSignal,
): Promise<Bot> {
  const { store, clock, ids, botSecrets } = deps
  const credentials = { token: input.token, signingSecret: input.signingSecret ?? null }
  const account = await botPlatformOf[platform].connect(openConnection(deps, platform, credentials, signal))
  const existing = await findBot(store.durable, { siteId, platform })
  const id = existing?.id ?? ids.prefixed('bot')
  return saveBot(store.durable, {
    id,
    siteId,
    platform,
    account,
    credentialsSealed: botSecrets.seal(id, credentials),
    settings: input.settings ?? existing?.settings ?? botSettingsSchema.parse({}),
    createdAt: existing?.createdAt ?? clock.now(),
  })
}

/** Tries the stored token, and stores what it says about the account. @throws {BotApiError} */
export async function checkBot(deps: ManageBotsDeps, bot: Bot, signal: AbortSignal): Promise<Bot> {
  const account = await botPlatformOf[bot.platform].connect(openBotAccess(deps, bot, signal))
  return (await updateBot(deps.store.durable, bot.id, { account })) ?? bot
}
