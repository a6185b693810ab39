import { giveFeedback, requireAnswer } from '../insights/give-feedback.ts'
import { findAnswer } from '../store/answers/find-answer.ts'
import type { QueuedBotEvent } from '../store/bots/bot-events.ts'
import { getBot } from '../store/bots/bots.ts'
import { getSite } from '../store/sites/sites.ts'
import { openBotAccess } from './bot-access.ts'
import type { BotEvent, ChatFeedback, ChatNotice, ChatShare } from './bot-event.ts'
import { botPlatformOf } from './bot-platforms.ts'
import { ChatOutbox } from './chat-outbox.ts'
import { handleChatQuestion } from './handle-chat-question.ts'
import type { BotEventDeps, OpenBotEvent } from './open-bot-event.ts'
import { quoteText } from './text/quote-text.ts'
import { writeChatAnswer, writeSections } from './write-chat-answer.ts'

/**
 * Handles an event of a chat.
 *
 * @param signal Aborts when the claim is lost or the process stops; then nothing more is sent.
 * @throws {BotApiError} if the platform refuses; {BotEventLostError}; anything else is worth another attempt.
 */
export async function handleBotEvent(
  deps: BotEventDeps,
  claimed: QueuedBotEvent<BotEvent>,
  signal: AbortSignal,
): Promise<void> {
  const bot = await getBot(deps.store.durable, claimed.botId)
  const site = bot === null ? null : await getSite(deps.store.durable, bot.siteId)
  // Removed in the meantime, and soon the event is as well.
  if (bot === null || site === null) return
  const platform = botPlatformOf[bot.platform]
  const access = openBotAccess(deps, bot, signal)
  const outbox = new ChatOutbox(deps, { platform, access, claimed })
  await dispatch(deps, { claimed, event: claimed.event, bot, site, platform, access, outbox })
}

function dispatch(deps: BotEventDeps, open: OpenBotEvent): Promise<void> {
  const { event } = open
  switch (event.type) {
    case 'question':
      return handleChatQuestion(deps, { ...open, event })
    case 'feedback':
      return rate(deps, { ...open, event })
    case 'share':
      return share(deps, { ...open, event })
    case 'notice':
      return notify({ ...open, event })
  }
}

function notify({ event, outbox, platform }: OpenBotEvent<ChatNotice>): Promise<void> {
  return outbox.deliver(writeSections(platform, event.text), null)
}

async function rate(deps: BotEventDeps, { event, bot, access, platform }: OpenBotEvent<ChatFeedback>): Promise<void> {
  const { messageId, isHelpful, reason, place } = event
  const { siteId } = bot
  const threadId = await requireAnswer(deps.store, siteId, messageId)
  const fp = deps.keys.user(bot.id, place.userId)
  await giveFeedback(deps, { siteId, threadId, messageId, fp, isHelpful, reason, note: null, path: null })
  await platform.thank(access, event)
}

/** The channel sees the answer as it is stored, with its question. */
async function share(
  { store }: BotEventDeps,
  { event, bot: { siteId }, outbox, platform }: OpenBotEvent<ChatShare>,
): Promise<void> {
  const { messageId } = event
  const threadId = await requireAnswer(store, siteId, messageId)
  const found = await findAnswer(store.durable, { siteId, threadId, messageId })
  if (found === null) return
  const question = writeSections(platform, quoteText(found.question.text))
  await outbox.deliver([...question, ...writeChatAnswer(platform, found.answer)], messageId)
}
