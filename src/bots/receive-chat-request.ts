import type { IdSource } from '../base/ids.ts'
import { insertBotEvent, isBotConversation } from '../store/bots/bot-events.ts'
import type { Bot } from '../store/bots/bots.ts'
import { getThread } from '../store/answers/threads.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { ChatPlace, ChatQuestion, ReceivedChatEvent } from './bot-event.ts'
import { botPlatformOf } from './bot-platforms.ts'
import type { ChatAck, ReadChatRequest } from './bot-platform.ts'
import type { ConversationKeys } from './conversation-keys.ts'

export interface ReceiveChatDeps extends StoreDeps {
  ids: IdSource
  keys: ConversationKeys
  /** Makes the worker look for work now. */
  wake(): void
}

/**
 * Queues the event of a signed request if the bot is to handle it. Messages that are not for the bot are not stored.
 *
 * @returns The HTTP reply.
 */
export async function receiveChatRequest(
  deps: ReceiveChatDeps,
  bot: Bot,
  { ack, event, deliveryId }: ReadChatRequest,
): Promise<ChatAck> {
  if (event === null) return ack
  const { store, ids, clock } = deps
  const conversation = findConversation(deps.keys, bot, event)
  const refusal = await findRefusal(deps, bot, event, conversation)
  if (refusal !== null) return refusal === '' ? ack : botPlatformOf[bot.platform].refuse(refusal)
  const queued = { id: ids.ulid(), botId: bot.id, deliveryId, conversation, event, receivedAt: clock.now() }
  const isNew = await insertBotEvent(store.durable, queued)
  if (isNew) deps.wake()
  // Nothing more will follow the reply.
  return isNew || event.type !== 'share' ? ack : botPlatformOf[bot.platform].refuse('This answer was shared before.')
}

/** A command has no thread to go on in, except within one; there, each user has a conversation of their own. */
function findConversation(keys: ConversationKeys, bot: Bot, { type, place }: ReceivedChatEvent): string {
  const { channelId, threadId, messageId, userId } = place
  if (type !== 'question') return keys.conversation(bot.id, type, place.replyToken)
  if (messageId !== null) return keys.conversation(bot.id, channelId, threadId ?? messageId)
  return threadId === null
    ? keys.conversation(bot.id, 'command', place.replyToken)
    : keys.conversation(bot.id, channelId, threadId, userId)
}

/** @returns Null if the event should be handled; otherwise the reason, empty if it was not addressed to the bot. */
async function findRefusal(
  deps: ReceiveChatDeps,
  bot: Bot,
  event: ReceivedChatEvent,
  conversation: string,
): Promise<string | null> {
  // Only answers of the bot have buttons.
  if (event.type !== 'question') return null
  const { place, trigger, text } = event
  if (!isAllowed(bot, place))
    return trigger === 'command' ? 'This bot does not answer here. Ask in another channel.' : ''
  if (trigger === 'command' && text === '') return 'Write your question after the command.'
  if (trigger !== 'message') return null
  return (await isExpected(deps, bot, event, conversation)) ? null : ''
}

function isAllowed({ settings: { channels, directMessages } }: Bot, place: ChatPlace): boolean {
  if (place.isDirect) return directMessages
  return channels.length === 0 || findChannel(channels, place) !== undefined
}

/** The settings of a channel, or of the channel that a thread belongs to. */
export function findChannel<Channel extends { id: string }>(
  channels: readonly Channel[],
  { channelId, parentId }: Pick<ChatPlace, 'channelId' | 'parentId'>,
): Channel | undefined {
  return channels.find(({ id }) => id === channelId || id === parentId)
}

/** Without a mention, a message is for the bot in a thread where it was asked before, or as a question in a channel set up for that. */
async function isExpected(
  { store }: ReceiveChatDeps,
  bot: Bot,
  { place, text }: ChatQuestion,
  conversation: string,
): Promise<boolean> {
  if (place.threadId === null) {
    return findChannel(bot.settings.channels, place)?.autoReply === true && isQuestion(text)
  }
  if (await isBotConversation(store.durable, bot.id, conversation)) return true
  return (await getThread(store.durable, bot.siteId, conversation)) !== null
}

const questionCharsMin = 8

/** Questions end with a question mark in nearly every script; others are talk that a bot should stay out of. */
function isQuestion(text: string): boolean {
  return text.length >= questionCharsMin && /[?？؟;՞]/u.test(text)
}
