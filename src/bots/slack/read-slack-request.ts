import { parseJson } from '../../base/parse-json.ts'
import { z } from 'zod'
import type { BotAccount } from '../../store/tables/bots.ts'
import { type ChatPlace, readFeedbackReason, type ReceivedChatEvent } from '../bot-event.ts'
import type { ChatRequest, ReadChatRequest } from '../bot-platform.ts'
import { readSlackText } from './slack-dialect.ts'

const id = z.string().regex(/^[A-Z0-9]{1,40}$/)
const timestamp = z.string().regex(/^\d{1,16}\.\d{1,10}$/)
const textCharsMax = 100_000

const envelopeSchema = z.object({
  type: z.literal('event_callback'),
  team_id: id,
  event_id: z.string().max(100).optional(),
  is_ext_shared_channel: z.boolean().optional(),
  event: z.object({ type: z.string() }).loose(),
})

/** A message or mention by a person. What else there is, such as edits, has a subtype. */
const messageSchema = z.object({
  type: z.enum(['app_mention', 'message']),
  user: id,
  text: z.string().max(textCharsMax),
  ts: timestamp,
  channel: id,
  channel_type: z.string().optional(),
  thread_ts: timestamp.optional(),
  /** Another organization, in a shared channel. */
  user_team: id.nullish(),
  bot_id: z.never().optional(),
  edited: z.never().optional(),
  // Files with a comment are messages like others.
  subtype: z.enum(['file_share', 'thread_broadcast']).optional(),
})

const commandSchema = z.object({
  command: z.string(),
  team_id: id,
  channel_id: id,
  user_id: id,
  text: z.string().max(textCharsMax).default(''),
  response_url: z.string(),
  trigger_id: z.string().max(200),
})

const actionsSchema = z.object({
  type: z.literal('block_actions'),
  team: z.object({ id }),
  user: z.object({ id }),
  channel: z.object({ id }),
  container: z.object({ thread_ts: timestamp.optional() }),
  response_url: z.string(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        action_ts: timestamp,
        value: z.string().max(200).optional(),
        selected_option: z.object({ value: z.string().max(200) }).nullish(),
      }),
    )
    .min(1),
})

const challengeSchema = z.object({ type: z.literal('url_verification'), challenge: z.string().max(1_000) })

const ignored: ReadChatRequest = { ack: {}, event: null, deliveryId: '' }

/** @returns Null if it is neither JSON nor a form of Slack. What the bot has nothing to do with is acknowledged. */
export function readSlackRequest({ headers, body }: ChatRequest, account: BotAccount): ReadChatRequest | null {
  const text = Buffer.from(body).toString('utf8')
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true
  const form = isForm ? Object.fromEntries(new URLSearchParams(text)) : null
  if (form !== null && form['payload'] === undefined) return readCommand(form, account)
  const json = parseJson(form?.['payload'] ?? text)
  if (json === null) return null
  const challenge = challengeSchema.safeParse(json)
  if (challenge.success) return { ...ignored, ack: { challenge: challenge.data.challenge } }
  return readActions(json, account) ?? readMessage(json, account) ?? ignored
}

/**
 * A mention arrives twice, as a mention and as a message, under different event ids, and each may be repeated: what
 * identifies it is its channel and time.
 */
function readMessage(json: unknown, { userId, workspaceId }: BotAccount): ReadChatRequest | null {
  const envelope = envelopeSchema.safeParse(json)
  const parsed = messageSchema.safeParse(envelope.data?.event)
  if (!envelope.success || !parsed.success || envelope.data.team_id !== workspaceId) return null
  const { data: message } = parsed
  if (message.user === userId) return null
  const isDirect = message.channel_type === 'im' || message.channel.startsWith('D')
  const isMention = message.type === 'app_mention' || message.text.includes(`<@${userId}>`)
  const isForeign = message.user_team != null && message.user_team !== workspaceId
  const place: ChatPlace = {
    workspaceId,
    channelId: message.channel,
    parentId: null,
    threadId: message.thread_ts === message.ts ? null : (message.thread_ts ?? null),
    messageId: message.ts,
    userId: message.user,
    isDirect,
    isShared: envelope.data.is_ext_shared_channel === true || isForeign,
    replyToken: null,
  }
  const trigger = isDirect ? 'direct' : isMention ? 'mention' : 'message'
  const event: ReceivedChatEvent = { type: 'question', place, trigger, text: readSlackText(message.text, userId) }
  return { ack: {}, event, deliveryId: `message:${message.channel}:${message.ts}` }
}

function readCommand(form: Record<string, string>, { userId, workspaceId }: BotAccount): ReadChatRequest | null {
  const { data: command } = commandSchema.safeParse(form)
  const replyToken = command === undefined ? null : readResponsePath(command.response_url)
  if (command === undefined || replyToken === null) return null
  if (command.team_id !== workspaceId) return ignored
  const place: ChatPlace = {
    workspaceId,
    channelId: command.channel_id,
    parentId: null,
    threadId: null,
    messageId: null,
    userId: command.user_id,
    isDirect: command.channel_id.startsWith('D'),
    isShared: false,
    replyToken,
  }
  return {
    ack: { response_type: 'ephemeral', text: 'Searching the documentation…' },
    event: { type: 'question', place, trigger: 'command', text: readSlackText(command.text, userId) },
    deliveryId: `command:${command.trigger_id}`,
  }
}

function readActions(json: unknown, { workspaceId }: BotAccount): ReadChatRequest | null {
  const { data } = actionsSchema.safeParse(json)
  const replyToken = data === undefined ? null : readResponsePath(data.response_url)
  const action = data?.actions[0]
  if (data === undefined || action === undefined || replyToken === null || data.team.id !== workspaceId) return null
  const place: ChatPlace = {
    workspaceId,
    channelId: data.channel.id,
    parentId: null,
    threadId: data.container.thread_ts ?? null,
    messageId: null,
    userId: data.user.id,
    isDirect: data.channel.id.startsWith('D'),
    isShared: false,
    replyToken,
  }
  const event = readAction(place, action)
  if (event === null) return ignored
  const { messageId } = event
  const deliveryId = event.type === 'share' ? `share:${messageId}` : `press:${action.action_ts}:${data.user.id}`
  return { ack: {}, event, deliveryId }
}

type SlackAction = z.output<typeof actionsSchema>['actions'][number]

function readAction(
  place: ChatPlace,
  { action_id: name, value, selected_option: selected }: SlackAction,
): (ReceivedChatEvent & { messageId: string }) | null {
  const [reason, ofReason] = selected?.value.split(':') ?? []
  const messageId = ofReason ?? value
  if (messageId === undefined) return null
  if (name === 'share') return { type: 'share', place, messageId }
  if (name === 'helpful') return { type: 'feedback', place, messageId, isHelpful: true, reason: null }
  if (name === 'not_helpful') return { type: 'feedback', place, messageId, isHelpful: false, reason: null }
  if (name !== 'reason' || reason === undefined) return null
  return { type: 'feedback', place, messageId, isHelpful: false, reason: readFeedbackReason(reason) }
}

/** Only the path is kept: replies go to Slack's own host. */
function readResponsePath(url: string): string | null {
  if (url.length > 500 || !URL.canParse(url)) return null
  const { pathname } = new URL(url)
  return /^\/(?:commands|actions|app)\/[\w/-]+$/.test(pathname) ? pathname : null
}
