import { parseJson } from '../../base/parse-json.ts'
import { z } from 'zod'
import { type ChatFeedback, type ChatPlace, readFeedbackReason, type ReceivedChatEvent } from '../bot-event.ts'
import type { ChatAck, ChatRequest, ReadChatRequest } from '../bot-platform.ts'
import { askReason } from './discord-messages.ts'

const id = z.string().regex(/^\d{1,25}$/)
const user = z.object({ id })

/** Threads in text, announcement and forum channels. */
const threadTypes: ReadonlySet<number> = new Set([10, 11, 12])

const interactionSchema = z.object({
  type: z.int(),
  id,
  token: z.string().regex(/^[\w.-]{1,500}$/),
  guild_id: id.optional(),
  channel_id: id.optional(),
  channel: z.object({ type: z.int().optional(), parent_id: id.nullish() }).optional(),
  member: z.object({ user }).optional(),
  user: user.optional(),
})
type Interaction = z.output<typeof interactionSchema>

const pingSchema = z.object({ type: z.literal(1) })

const commandSchema = z.object({
  type: z.literal(2),
  data: z.object({
    options: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
  }),
})

const pressSchema = z.object({
  type: z.literal(3),
  data: z.object({ custom_id: z.string().max(100), values: z.array(z.string().max(100)).default([]) }),
})

/** Types of interaction responses. @see https://docs.discord.com/developers/interactions/receiving-and-responding */
const replyType = { pong: 1, message: 4, deferred: 5, update: 7 } as const
/** Only the person who asked sees it. */
export const ephemeralFlag = 64

const ignored: ReadChatRequest = {
  ack: { type: replyType.message, data: { flags: ephemeralFlag, content: 'This bot only knows the command /docs.' } },
  event: null,
  deliveryId: '',
}

export function replyInDiscord(content: string): ChatAck {
  return { type: replyType.message, data: { flags: ephemeralFlag, content, allowed_mentions: { parse: [] } } }
}

/** @returns Null if it is not an interaction. */
export function readDiscordRequest({ body }: ChatRequest): ReadChatRequest | null {
  const json = parseJson(Buffer.from(body).toString('utf8'))
  if (pingSchema.safeParse(json).success) return { ack: { type: replyType.pong }, event: null, deliveryId: '' }
  const { data: interaction } = interactionSchema.safeParse(json)
  if (interaction === undefined) return null
  const place = readPlace(interaction)
  if (place === null) return ignored
  const deliveryId = `interaction:${interaction.id}`
  const command = commandSchema.safeParse(json)
  if (command.success) return { ack: deferred(ephemeralFlag), event: readCommand(place, command.data), deliveryId }
  const press = pressSchema.safeParse(json)
  return press.success ? readPress(place, press.data.data, deliveryId) : ignored
}

function deferred(flags: number): ChatAck {
  return { type: replyType.deferred, data: { flags } }
}

function readPlace({ guild_id, channel_id, channel, member, user: sender, token }: Interaction): ChatPlace | null {
  const userId = member?.user.id ?? sender?.id
  if (channel_id === undefined || userId === undefined) return null
  const isThread = threadTypes.has(channel?.type ?? -1)
  return {
    workspaceId: guild_id ?? null,
    channelId: channel_id,
    parentId: isThread ? (channel?.parent_id ?? null) : null,
    threadId: isThread ? channel_id : null,
    messageId: null,
    userId,
    isDirect: guild_id === undefined,
    isShared: false,
    replyToken: token,
  }
}

function readCommand(place: ChatPlace, { data: { options } }: z.output<typeof commandSchema>): ReceivedChatEvent {
  const value = options.find(({ name }) => name === 'question')?.value
  return { type: 'question', place, trigger: 'command', text: typeof value === 'string' ? value.trim() : '' }
}

function readPress(
  place: ChatPlace,
  { custom_id, values: [value = ''] }: z.output<typeof pressSchema>['data'],
  deliveryId: string,
): ReadChatRequest {
  const [name, messageId = ''] = custom_id.split(':')
  const feedback: ChatFeedback = { type: 'feedback', place, messageId, isHelpful: name === 'helpful', reason: null }
  if (name === 'share') {
    return { ack: deferred(0), event: { type: 'share', place, messageId }, deliveryId: `share:${messageId}` }
  }
  if (name === 'helpful') return { ack: replyInDiscord('Thank you.'), event: feedback, deliveryId }
  if (name === 'not_helpful') {
    const ack = { type: replyType.message, data: { ...askReason(messageId), flags: ephemeralFlag } }
    return { ack, event: feedback, deliveryId }
  }
  if (name !== 'reason') return ignored
  const ack = { type: replyType.update, data: { content: 'Thank you.', components: [] } }
  return { ack, event: { ...feedback, reason: readFeedbackReason(value) }, deliveryId }
}
