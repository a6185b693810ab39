import type { z } from 'zod'
import { writeBotChannel } from '../contract/bot-channel.ts'
import { AppError } from '../contract/app-error.ts'
import { botPlatformLabels, type BotPlatformName } from '../contract/bot-platforms.ts'
import type { BotResource, BotSettings, botUpdateSchema } from '../contract/bots.ts'
import { askSecret, canAsk } from './ask-secret.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { readCredential } from './read-credential.ts'

export interface BotPlace {
  site: string
  platform: BotPlatformName
}

export interface BotConnectOptions {
  tokenFile?: string
  signingSecretFile?: string
}

type Channel = BotSettings['channels'][number]

export interface BotSetOptions extends Partial<
  Pick<BotSettings, 'directMessages' | 'userPerHour' | 'channelPerHour' | 'workspacePerDay'>
> {
  channel?: Channel[]
  everyChannel?: boolean
  unansweredChannel?: string
}

/** `docent bot connect`: tries the token before it is stored. */
export async function connectBot(
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

export async function listBots(output: Output, site: string): Promise<void> {
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
export async function changeBot(
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

export async function checkBot(output: Output, { site, platform }: BotPlace): Promise<void> {
  const bot = await withClient((client) => client.checkBot({ params: { id: site, platform } }))
  output.result(bot, () => `The token works. ${botPlatformLabels[platform]} knows the bot of ${bot.name}.`)
}

export async function removeBot(output: Output, { site, platform }: BotPlace): Promise<void> {
  await withClient((client) => client.removeBot({ params: { id: site, platform } }))
  output.result({ removed: platform }, () => `Removed the ${botPlatformLabels[platform]} bot of ${site}.`)
}
