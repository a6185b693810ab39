import type { BotPlatformName } from '../contract/bot-platforms.ts'
import type { BotPlatform } from './bot-platform.ts'
import { discordPlatform } from './discord/discord-platform.ts'
import { slackPlatform } from './slack/slack-platform.ts'

export const botPlatformOf: Readonly<Record<BotPlatformName, BotPlatform>> = {
  slack: slackPlatform,
  discord: discordPlatform,
}
