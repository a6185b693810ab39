import { Argument, type Command } from 'commander'
import { readBotChannel, writeBotChannel } from '../contract/bot-channel.ts'
import { type BotPlatformName, botPlatforms, botPlatformLabels } from '../contract/bot-platforms.ts'
import { type Output, formatTable } from './output.ts'
import { wholeNumber } from './option-values.ts'
import type { z } from 'zod'
import { AppError } from '../contract/app-error.ts'
import type { BotResource, BotSettings, botUpdateSchema } from '../contract/bots.ts'
import { askSecret, canAsk } from './ask-secret.ts'
import { withClient } from './connect.ts'
import { readCredential } from './read-credential.ts'

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

interface BotPlace {
  site: string
  platform: BotPlatformName
}

interface BotConnectOptions {
  tokenFile?: string
  signingSecretFile?: string
}

type Channel = BotSettings['channels'][number]

interface BotSetOptions extends Partial<
  Pick<BotSettings, 'directMessages' | 'userPerHour' | 'channelPerHour' | 'workspacePerDay'>
> {
  channel?: Channel[]
  everyChannel?: boolean
  unansweredChannel?: string
}

/** `docent bot connect`: tries the token before it is stored. */
async function connectBot(
  output: Output,
  { site, platform }: BotPlace,
  { tokenFile, signingSecretFile }: BotConnectOptions,
): Promise<void> {
  const token = await readSecret(output, 'Bot token', tokenFile)
  const body = {
    token,
    ...(platform === 'slack' && { signingSecret: await readSecret(output, 'Signing secret', signingSecretFile) }),
  }
  const bot = await withClient((client) => client.connectBot({ params: { id: site, platform }, body }))
  output.result(
    bot,
    () =>
      `Connected to ${bot.name} on ${botPlatformLabels[platform]}. Enter this address there:\n\n${bot.url}\n\nTo limit it to some channels: docent bot set ${site} ${platform} --channel ID`,
  )
}

async function readSecret({ isJson }: Output, name: string, file: string | undefined): Promise<string> {
  const credential = await readCredential({ tokenFile: file })
  if (credential !== null) return credential.token
  if (canAsk(isJson)) return askSecret(`${name}: `)
  throw new AppError('invalid_request', `Give the ${name.toLowerCase()} in a file. See "docent bot connect --help".`)
}

async function listBots(output: Output, site: string): Promise<void> {
  const { items } = await withClient((client) => client.listBots({ params: { id: site } }))
  output.result(items, () =>
    formatTable(['PLATFORM', 'NAME', 'CHANNELS', 'LAST EVENT', 'STATE', 'ADDRESS'], items.map(toRow)),
  )
}

function toRow({ platform, name, settings, lastEventAt, failure, url }: BotResource): string[] {
  const channels = settings.channels.map(writeBotChannel)
  return [platform, name, channels.join(' ') || 'all', lastEventAt ?? 'never', failure ?? 'ok', url]
}

/** `docent bot set`: changes only what is given. */
async function changeBot(
  output: Output,
  { site, platform }: BotPlace,
  { channel, everyChannel = false, unansweredChannel, ...others }: BotSetOptions,
): Promise<void> {
  const channels = everyChannel ? [] : channel
  const body: z.input<typeof botUpdateSchema> = {
    ...others,
    ...(channels && { channels }),
    ...(unansweredChannel !== undefined && {
      unansweredChannel: unansweredChannel === 'none' ? null : unansweredChannel,
    }),
  }
  const bot = await withClient((client) => client.updateBot({ params: { id: site, platform }, body }))
  output.result(bot, () => `Changed the ${botPlatformLabels[platform]} bot of ${site}.`)
}

async function checkBot(output: Output, { site, platform }: BotPlace): Promise<void> {
  const bot = await withClient((client) => client.checkBot({ params: { id: site, platform } }))
  output.result(bot, () => `The token works. ${botPlatformLabels[platform]} knows the bot of ${bot.name}.`)
}

async function removeBot(output: Output, { site, platform }: BotPlace): Promise<void> {
  await withClient((client) => client.removeBot({ params: { id: site, platform } }))
  output.result({ removed: platform }, () => `Removed the ${botPlatformLabels[platform]} bot of ${site}.`)
}
