import { z } from 'zod'
import { botPlatforms } from './bot-platforms.ts'
import { timestamp } from './timestamp.ts'

const channelsMax = 200
const channelId = z
  .string()
  .regex(/^[A-Za-z0-9]{1,40}$/, { error: 'is not the id of a channel. Use the id, such as C0123456789, not the name' })

const channelSchema = z.object({
  id: channelId,
  autoReply: z.boolean().default(false).meta({
    description:
      'Slack: answer questions that do not mention the bot, and stay silent if the documentation has no answer.',
  }),
  groups: z.array(z.string().trim().min(1).max(200)).max(100).default([]).meta({
    description:
      'Groups whose pages everyone in the channel may see. Empty: public pages only. Ignored in channels shared with another organization.',
  }),
})

const limit = (most: number) => z.int().min(1).max(1_000_000).default(most)

/** Settings of a bot. Every field has a default. */
export const botSettingsSchema = z
  .object({
    channels: z
      .array(channelSchema)
      .max(channelsMax)
      .default([])
      .meta({ description: 'The only channels to answer in. Empty: every channel that the bot is invited to.' }),
    directMessages: z.boolean().default(true).meta({ description: 'Whether to answer direct messages.' }),
    unansweredChannel: channelId.nullable().default(null).meta({
      description: 'Channel to notify of unanswered questions. Direct messages are not quoted there.',
    }),
    userPerHour: limit(30).meta({ description: 'Maximum questions per user and hour.' }),
    channelPerHour: limit(200).meta({ description: 'Maximum questions per channel and hour.' }),
    workspacePerDay: limit(2_000).meta({ description: 'Maximum questions per workspace or server and day.' }),
  })
  .meta({ id: 'BotSettings' })
export type BotSettings = z.output<typeof botSettingsSchema>

const secret = z.string().trim().min(1).max(500)

export const botConnectSchema = z
  .object({
    token: secret.meta({ description: 'Token of the bot. Slack: starts with `xoxb-`.' }),
    signingSecret: secret.optional().meta({ description: 'Slack: signing secret of the app. Required there.' }),
    settings: botSettingsSchema.optional().meta({ description: 'Default: the current settings.' }),
  })
  .meta({ id: 'BotConnect' })
export type BotConnect = z.output<typeof botConnectSchema>

const { shape } = botSettingsSchema

/** Without the defaults, which would reset the fields that are not given. */
export const botUpdateSchema = z
  .object({
    channels: shape.channels.unwrap().exactOptional(),
    directMessages: shape.directMessages.unwrap().exactOptional(),
    unansweredChannel: shape.unansweredChannel.unwrap().exactOptional(),
    userPerHour: shape.userPerHour.unwrap().exactOptional(),
    channelPerHour: shape.channelPerHour.unwrap().exactOptional(),
    workspacePerDay: shape.workspacePerDay.unwrap().exactOptional(),
  })
  .meta({ id: 'BotUpdate' })

export const botSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    platform: z.enum(botPlatforms),
    name: z.string().meta({ description: 'Slack: the workspace. Discord: the application.' }),
    url: z.url().meta({ description: 'Address to enter at the platform, for events, commands and buttons.' }),
    settings: botSettingsSchema,
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why the newest event that was processed failed; null if it did not.' }),
    lastEventAt: timestamp().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Bot' })
export type BotResource = z.output<typeof botSchema>

export const botListSchema = z.object({ items: z.array(botSchema) }).meta({ id: 'BotList' })
