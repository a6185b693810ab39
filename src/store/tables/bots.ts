import type { BotPlatformName } from '../../contract/bot-platforms.ts'
import type { BotSettings } from '../../contract/bots.ts'
import { childOf, id, nullable, object, strings, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

/** What the platform says about a bot when its token is tried. */
export interface BotAccount {
  /** Workspace on Slack, application on Discord. */
  name: string
  /** Id of the bot's user; its messages are ignored. */
  userId: string
  /** Slack: the only workspace whose events are accepted. Null on Discord. */
  workspaceId: string | null
  /** Discord: Ed25519 key in hex that signs requests. Null on Slack. */
  publicKey: string | null
}

export const botTables = {
  /** Bots that answer for a site on a chat platform. */
  bots: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      platform: text<BotPlatformName>(),
      account: object<BotAccount>(),
      /** Sealed by `BotSecrets`. */
      credentialsSealed: text(),
      settings: object<BotSettings>(),
      createdAt: time(),
    },
    { unique: ['siteId', 'platform'] },
  ),
  /** Questions and pressed buttons from chats, and notices to channels. The row is the queue entry. */
  botEvents: table(
    {
      id: id(),
      botId: childOf('bots.id'),
      /** Equal for every delivery of the same message, command or button. */
      deliveryId: text(),
      /** Thread that answers belong to. Its events are handled one at a time, in order. */
      conversation: text(),
      /** Emptied when done, because the thread contains the question and the rest is of no further use. */
      event: object<object>(),
      state: text<'queued' | 'done' | 'failed'>(),
      /** A sentence, if it failed. */
      outcome: nullable(text()),
      /** Ids of the messages posted so far, at the platform. */
      postedIds: strings(),
      ...queueColumns(),
      receivedAt: time(),
      /** Start of the first attempt. */
      startedAt: nullable(time()),
      finishedAt: nullable(time()),
    },
    {
      unique: ['botId', 'deliveryId'],
      indexes: {
        due: queueIndex,
        inConversation: ['conversation', 'id'],
        byBot: ['botId', 'id'],
        byTime: ['receivedAt'],
      },
    },
  ),
}
