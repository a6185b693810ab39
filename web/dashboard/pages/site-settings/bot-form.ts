import { readBotChannel, writeBotChannel } from '../../../../src/contract/bot-channel.ts'
import type { BotResource, BotSettings } from '../../../../src/contract/bots.ts'

/** A bot as text fields. */
export interface BotForm {
  token: string
  signingSecret: string
  /** One a line. */
  channels: string
  unansweredChannel: string
  directMessages: 'yes' | 'no'
  userPerHour: string
}

export function toBotForm(bot: BotResource | null): BotForm {
  const { channels = [], unansweredChannel = null, directMessages = true, userPerHour = 30 } = bot?.settings ?? {}
  return {
    token: '',
    signingSecret: '',
    channels: channels.map(writeBotChannel).join('\n'),
    unansweredChannel: unansweredChannel ?? '',
    directMessages: directMessages ? 'yes' : 'no',
    userPerHour: String(userPerHour),
  }
}

/** The settings that the form shows; others keep their values. */
export function readBotSettings({ channels, unansweredChannel, directMessages, userPerHour }: BotForm) {
  const lines = channels.split('\n').filter((line) => line.trim() !== '')
  return {
    channels: lines.map((line) => readBotChannel(line)),
    unansweredChannel: unansweredChannel.trim() === '' ? null : unansweredChannel.trim(),
    directMessages: directMessages === 'yes',
    userPerHour: Number(userPerHour),
  } satisfies Partial<BotSettings>
}
