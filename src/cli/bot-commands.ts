import { Argument, type Command } from 'commander'
import { readBotChannel } from '../contract/bot-channel.ts'
import { type BotPlatformName, botPlatforms } from '../contract/bot-platforms.ts'
import {
  type BotConnectOptions,
  type BotSetOptions,
  changeBot,
  checkBot,
  connectBot,
  listBots,
  removeBot,
} from './bot.ts'
import type { Output } from './output.ts'
import { wholeNumber } from './option-values.ts'

const count = wholeNumber(0, 9_999_999)

/** `docent bot …`: bots that answer on Slack and Discord. */
export function addBotCommands(program: Command, output: () => Output): void {
  const bot = program.command('bot').description('answer questions on Slack and Discord')
  const platform = () => new Argument('<platform>').choices(botPlatforms)
  bot
    .command('connect')
    .description('connect a bot to a site; asks for its secrets, or reads them from files')
    .argument('<site>')
    .addArgument(platform())
    .option('--token-file <file>', 'a file with the token of the bot')
    .option('--signing-secret-file <file>', 'on Slack, a file with the signing secret of the app')
    .action((site: string, name: BotPlatformName, options: BotConnectOptions) =>
      connectBot(output(), { site, platform: name }, options),
    )
  bot
    .command('list')
    .description('list the bots of a site')
    .argument('<site>')
    .action((site: string) => listBots(output(), site))
  bot
    .command('set')
    .description('change where a bot answers, and its limits')
    .argument('<site>')
    .addArgument(platform())
    .option(
      '--channel <id[,auto][,group=NAME]>',
      'a channel to answer in; repeatable; replaces the list. With auto, also without a mention; with group, from its pages too',
      (value: string, before: BotSetOptions['channel']) => [...(before ?? []), readBotChannel(value)],
    )
    .option('--every-channel', 'answer in every channel that the bot is invited to')
    .option('--direct-messages', 'answer direct messages')
    .option('--no-direct-messages', 'do not answer direct messages')
    .option('--unanswered-channel <id>', 'channel to tell of questions without an answer; none for no channel')
    .option('--user-per-hour <count>', 'the most questions of a user per hour', count)
    .option('--channel-per-hour <count>', 'the most questions in a channel per hour', count)
    .option('--workspace-per-day <count>', 'the most questions in a workspace or server per day', count)
    .action((site: string, name: BotPlatformName, options: BotSetOptions) =>
      changeBot(output(), { site, platform: name }, options),
    )
  bot
    .command('check')
    .description('try the token of a bot; on Discord, register its command again')
    .argument('<site>')
    .addArgument(platform())
    .action((site: string, name: BotPlatformName) => checkBot(output(), { site, platform: name }))
  bot
    .command('remove')
    .description('forget a bot and its token')
    .argument('<site>')
    .addArgument(platform())
    .action((site: string, name: BotPlatformName) => removeBot(output(), { site, platform: name }))
}
