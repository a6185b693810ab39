import type { AnswerDeps } from '../assistant/answer-question.ts'
import type { IdSource } from '../base/ids.ts'
import type { GiveFeedbackDeps } from '../insights/give-feedback.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { QueuedBotEvent } from '../store/bots/bot-events.ts'
import type { Bot } from '../store/bots/bots.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { BotAccessDeps } from './bot-access.ts'
import type { BotEvent } from './bot-event.ts'
import type { BotAccess, BotPlatform } from './bot-platform.ts'
import type { ChatOutbox } from './chat-outbox.ts'
import type { ConversationKeys } from './conversation-keys.ts'

export interface BotEventDeps extends BotAccessDeps, GiveFeedbackDeps {
  ids: IdSource
  answers: AnswerDeps
  sites: LiveSites
  keys: ConversationKeys
  /** Where members reach the dashboard. */
  baseUrl: string
  /** Limits of an assistant key and of its organization, which hold for a bot as well. */
  limits: { keyPerMonth: number; organizationPerHour: number }
  log: Log
  telemetry?: Telemetry
}

/** An event, and what handling it needs. */
export interface OpenBotEvent<Event extends BotEvent = BotEvent> {
  claimed: QueuedBotEvent<BotEvent>
  event: Event
  bot: Bot
  site: Site
  platform: BotPlatform
  access: BotAccess
  outbox: ChatOutbox
}
