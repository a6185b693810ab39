import { consumeLimits, type Limit } from '../access/limits/consume-limits.ts'
import { AppError } from '../contract/app-error.ts'
import { isRefusal } from '../contract/verdicts.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import { getProject } from '../store/accounts/projects.ts'
import type { Message } from '../store/answers/messages.ts'
import { insertBotEvent } from '../store/bots/bot-events.ts'
import type { Bot } from '../store/bots/bots.ts'
import type { Site } from '../store/sites/sites.ts'
import { answerChatQuestion } from './answer-chat-question.ts'
import { BotApiError } from './bot-api-error.ts'
import type { ChatNotice, ChatQuestion } from './bot-event.ts'
import type { BotAccess, BotPlatform } from './bot-platform.ts'
import type { BotEventDeps, OpenBotEvent } from './open-bot-event.ts'
import { findChannel } from './receive-chat-request.ts'
import { quoteText } from './text/quote-text.ts'
import { writeChatAnswer, writeSections } from './write-chat-answer.ts'

type OpenQuestion = OpenBotEvent<ChatQuestion>

/** Answers a question: limits, a sign of life, the answer, and a notice if there is none. */
export async function handleChatQuestion(deps: BotEventDeps, open: OpenQuestion): Promise<void> {
  const { event, outbox, platform } = open
  // Silent in channels that did not ask the bot, unless it has an answer.
  const isSilent = event.trigger === 'message' && event.place.threadId === null
  try {
    if (event.text === '') return await outbox.deliver(['What would you like to know?'], null)
    const site = await requireSite(deps, open.site)
    await consumeChatLimits(deps, open)
    if (!isSilent) await outbox.showSignOfLife()
    const stored = await ask(deps, open, site)
    if (isRefusal(stored.verdict)) await queueNotice(deps, open, stored)
    if (isSilent && isRefusal(stored.verdict)) return
    await outbox.deliver(writeChatAnswer(platform, stored), stored.id)
  } catch (error) {
    const reason = readReason(error)
    if (reason === null) throw error
    if (!isSilent) await outbox.deliver(writeSections(platform, reason), null).catch(ignoreUnlessStopped(open))
  }
}

/** Not tried again, because the next attempt would find other limits than the one that it explains. */
function ignoreUnlessStopped({ access: { signal } }: OpenQuestion): (error: unknown) => void {
  return (error) => {
    if (signal.aborted || !(error instanceof BotApiError)) throw error
  }
}

/** A sentence for who asked; null if the event is to be tried again or given up. */
function readReason(error: unknown): string | null {
  const isPublic = error instanceof AppError && !(error instanceof BotApiError) && error.code !== 'database_unavailable'
  return isPublic ? error.message : null
}

/** @throws {AppError} `site_not_ready`. */
async function requireSite({ sites }: BotEventDeps, { slug }: Site): Promise<LiveSite> {
  const site = await sites.find(slug)
  if (site !== null) return site
  throw new AppError('site_not_ready', 'The documentation is not available yet. Ask again in a few minutes.')
}

/** Counted once per question: later attempts continue the first. @throws {AppError} `limit_reached`. */
async function consumeChatLimits(
  deps: BotEventDeps,
  { claimed, event: { place }, bot, site }: OpenQuestion,
): Promise<void> {
  if (claimed.attempt > 1) return
  const project = await getProject(deps.store.durable, site.projectId)
  const { userPerHour, channelPerHour, workspacePerDay } = bot.settings
  const user = deps.keys.user(bot.id, place.userId)
  const channel = `${bot.id}:${place.channelId}`
  const workspace = `${bot.id}:${place.workspaceId ?? 'direct'}`
  const limits: Limit[] = [
    { name: 'chat-user', subject: user, window: 'hour', max: userPerHour, whose: 'This user' },
    { name: 'chat-channel', subject: channel, window: 'hour', max: channelPerHour, whose: 'This channel' },
    { name: 'chat-workspace', subject: workspace, window: 'day', max: workspacePerDay, whose: 'This workspace' },
    { name: 'key', subject: bot.id, window: 'month', max: deps.limits.keyPerMonth, whose: 'This bot' },
    {
      name: 'org',
      subject: project?.organizationId ?? '',
      window: 'hour',
      max: deps.limits.organizationPerHour,
      whose: 'This organization',
    },
  ]
  await consumeLimits(deps, limits)
}

async function ask(
  deps: BotEventDeps,
  { claimed, event, bot, platform, access, outbox }: OpenQuestion,
  site: LiveSite,
): Promise<Message> {
  const input = {
    platform: bot.platform,
    site,
    conversation: claimed.conversation,
    fp: deps.keys.user(bot.id, event.place.userId),
    text: event.text,
    groups: await readGroups(bot, platform, access, event),
    startedAt: claimed.startedAt ?? claimed.receivedAt,
    log: deps.log,
  }
  const showText = (text: string) => outbox.showProgress(() => `${writeSections(platform, text)[0] ?? ''} …`)
  return answerChatQuestion(deps.answers, input, showText, access.signal)
}

/** Decided by the channel, never by the asker: a channel open to outsiders is public. */
async function readGroups(
  { settings }: Bot,
  platform: BotPlatform,
  access: BotAccess,
  { place }: ChatQuestion,
): Promise<readonly string[]> {
  const groups = place.isDirect ? [] : (findChannel(settings.channels, place)?.groups ?? [])
  if (groups.length === 0 || place.isShared) return []
  const isShared = await platform.isShared(access, place).catch((error: unknown) => {
    // Without the permission to ask, nothing is known of who reads along.
    if (error instanceof BotApiError && !error.isPassing) return true
    throw error
  })
  return isShared ? [] : groups
}

/** What is asked in private is not quoted. */
async function queueNotice(
  { store, ids, clock, baseUrl }: BotEventDeps,
  { event, bot, site }: OpenQuestion,
  stored: Message,
): Promise<void> {
  const channelId = bot.settings.unansweredChannel
  if (channelId === null) return
  const project = await getProject(store.durable, site.projectId)
  const dashboard = `${baseUrl}/dashboard/${encodeURIComponent(project?.organizationId ?? '')}/${site.slug}`
  const isPrivate = event.place.isDirect || event.trigger === 'command'
  const text = [
    'A question has no answer in the documentation.',
    isPrivate ? '' : quoteText(event.text),
    `[Conversation](${dashboard}/conversations/${encodeURIComponent(stored.threadId)}) · [Gaps](${dashboard}/insights?view=gaps)`,
  ]
  const notice: ChatNotice = { type: 'notice', channelId, text: text.filter((part) => part !== '').join('\n\n') }
  await insertBotEvent(store.durable, {
    id: ids.ulid(),
    botId: bot.id,
    deliveryId: `notice:${stored.id}`,
    conversation: `notice:${stored.id}`,
    event: notice,
    receivedAt: clock.now(),
  })
}
