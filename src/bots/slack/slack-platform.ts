import { z } from 'zod'
import { createHmac } from 'node:crypto'
import { AppError } from '../../contract/app-error.ts'
import type { BotAccount } from '../../store/tables/bots.ts'
import { isRecentTimestamp } from '../../base/is-recent-timestamp.ts'
import { isSameSecret } from '../../base/same-secret.ts'
import { type BotEvent, type ChatFeedback, type ChatPlace, feedbackReasons } from '../bot-event.ts'
import {
  type BotAccess,
  type BotConnection,
  type BotPlatform,
  type ChatReply,
  type ChatRequest,
  notEditable,
} from '../bot-platform.ts'
import { readSlackRequest } from './read-slack-request.ts'
import { callSlack, respondInSlack } from './slack-api.ts'
import { slackDialect } from './slack-dialect.ts'

/** Slack allows 3,000 in a block, and shows about 12,000 of a message without folding it. */
const sectionCharsMax = 2_900
const sectionsPerMessage = 4

export const slackPlatform: BotPlatform = {
  label: 'Slack',
  sectionCharsMax,
  sectionsPerMessage,
  dialect: slackDialect,
  connect: connectSlack,
  isSigned: isSignedBySlack,
  read: readSlackRequest,
  refuse: (text) => ({ response_type: 'ephemeral', text }),
  isShared: isSharedInSlack,
  findSignOfLife: (event) => (event.type !== 'notice' && event.place.replyToken !== null ? notEditable : null),
  send: sendToSlack,
  findPosted: findPostedInSlack,
  thank: thankInSlack,
}

const accountSchema = z.object({ team: z.string(), team_id: z.string(), user_id: z.string() })

async function connectSlack(connection: BotConnection): Promise<BotAccount> {
  if (connection.credentials.signingSecret === null) {
    throw new AppError('invalid_request', 'Enter the signing secret of the Slack app, from its page Basic Information.')
  }
  const { team, team_id, user_id } = accountSchema.parse(await callSlack(connection, 'auth.test'))
  return { name: team.slice(0, 200), userId: user_id, workspaceId: team_id, publicKey: null }
}

/** @see https://docs.slack.dev/authentication/verifying-requests-from-slack */
function isSignedBySlack(
  { headers, body }: ChatRequest,
  { credentials: { signingSecret } }: Pick<BotAccess, 'credentials'>,
  nowMs: number,
): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const hmac = createHmac('sha256', signingSecret ?? '')
    .update(`v0:${timestamp}:`)
    .update(body)
  const isSame = isSameSecret(headers.get('x-slack-signature') ?? '', `v0=${hmac.digest('hex')}`)
  return isSame && signingSecret !== null && isRecentTimestamp(timestamp, nowMs)
}

const channelSchema = z.object({
  channel: z.object({
    is_ext_shared: z.boolean().optional(),
    is_org_shared: z.boolean().optional(),
    is_pending_ext_shared: z.boolean().optional(),
  }),
})

/** Events say so, commands do not. */
async function isSharedInSlack(access: BotAccess, { channelId }: ChatPlace): Promise<boolean> {
  const reply = await callSlack(access, 'conversations.info', { channel: channelId })
  const { channel } = channelSchema.parse(reply)
  return channel.is_ext_shared === true || channel.is_org_shared === true || channel.is_pending_ext_shared === true
}

const sentSchema = z.object({ ts: z.string() })

async function sendToSlack(access: BotAccess, event: BotEvent, reply: ChatReply, id: string | null): Promise<string> {
  if (event.type !== 'notice' && event.place.replyToken !== null) {
    const visibility = event.type === 'share' ? 'in_channel' : 'ephemeral'
    const message = { response_type: visibility, replace_original: false, ...writeMessage(reply, visibility) }
    await respondInSlack(access, event.place.replyToken, message)
    return notEditable
  }
  const thread = event.type === 'notice' ? { channel: event.channelId } : threadOf(event.place)
  const message = { ...writeMessage(reply, 'in_channel'), parse: 'none' }
  if (id !== null) {
    const { channel } = thread
    return sentSchema.parse(await callSlack(access, 'chat.update', { ...message, channel, ts: id })).ts
  }
  const metadata = { event_type: markType, event_payload: { mark: reply.mark } }
  return sentSchema.parse(await callSlack(access, 'chat.postMessage', { ...message, ...thread, metadata })).ts
}

const markType = 'docent_reply'

function threadOf({ channelId, threadId, messageId }: ChatPlace) {
  return { channel: channelId, thread_ts: threadId ?? messageId ?? undefined }
}

function writeMessage({ sections, answerId }: ChatReply, visibility: 'in_channel' | 'ephemeral') {
  const texts = sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }))
  const blocks = answerId === null ? texts : [...texts, writeButtons(answerId, visibility)]
  // Shown in notifications.
  const text = (sections[0] ?? '').slice(0, 300).replace(/&[a-z]{0,3}$|<[^>]*$/, '')
  return { text, blocks, unfurl_links: false, unfurl_media: false }
}

function writeButtons(answerId: string, visibility: 'in_channel' | 'ephemeral') {
  const button = (name: string, text: string) => ({
    type: 'button',
    action_id: name,
    value: answerId,
    text: { type: 'plain_text', text },
  })
  const feedback = [button('helpful', 'Helpful'), button('not_helpful', 'Not helpful')]
  return { type: 'actions', elements: visibility === 'ephemeral' ? [...feedback, button('share', 'Share')] : feedback }
}

const repliesSchema = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z.object({ event_payload: z.object({ mark: z.string().optional() }).loose() }).optional(),
    }),
  ),
})

/** Looks through the newer messages of the thread for the mark that each carries. */
async function findPostedInSlack(access: BotAccess, event: BotEvent, mark: string): Promise<string | null> {
  if (event.type === 'notice' || event.place.messageId === null) return null
  const { channel, thread_ts: thread } = threadOf(event.place)
  const reply = await callSlack(access, 'conversations.replies', {
    channel,
    ts: thread,
    oldest: event.place.messageId,
    include_all_metadata: true,
    limit: 200,
  })
  const { messages } = repliesSchema.parse(reply)
  return messages.find(({ metadata }) => metadata?.event_payload.mark === mark)?.ts ?? null
}

async function thankInSlack(access: BotAccess, { place, messageId, isHelpful, reason }: ChatFeedback): Promise<void> {
  if (place.replyToken === null) return
  const asksReason = !isHelpful && reason === null
  const text = asksReason ? 'Thank you. What is wrong with it?' : 'Thank you.'
  const options = Object.entries(feedbackReasons).map(([name, label]) => ({
    text: { type: 'plain_text', text: label },
    value: `${name}:${messageId}`,
  }))
  const placeholder = { type: 'plain_text', text: 'Choose a reason' }
  const select = { type: 'static_select', action_id: 'reason', placeholder, options }
  const section = { type: 'section', text: { type: 'plain_text', text } }
  const blocks = asksReason ? [section, { type: 'actions', elements: [select] }] : [section]
  const replacesQuestion = reason !== null
  await respondInSlack(access, place.replyToken, {
    response_type: 'ephemeral',
    replace_original: replacesQuestion,
    text,
    blocks,
  })
}
