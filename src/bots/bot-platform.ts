import type { JsonValue } from '../contract/json.ts'
import type { BotAccount } from '../store/tables/bots.ts'
import type { BotEvent, ChatPlace, ReceivedChatEvent } from './bot-event.ts'
import type { BotCredentials } from './bot-secrets.ts'
import type { ChatDialect } from './text/chat-dialect.ts'

/** A request as received: nothing of it is to be believed before `isSigned`. */
export interface ChatRequest {
  headers: Headers
  body: Uint8Array
}

/** A bot's account, and what opens it. */
export interface BotAccess {
  account: BotAccount
  credentials: BotCredentials
  fetch: typeof fetch
  /** Without a trailing slash. Set by the operator, never by stored data. */
  apiUrl: string
  signal: AbortSignal
}

/** Sends the requests that a platform makes. */
export type BotConnection = Omit<BotAccess, 'account'>

/** One message to send. */
export interface ChatReply {
  /** In the platform's dialect, in order; each fits into the platform's `sectionCharsMax`. */
  sections: readonly string[]
  /** The answer that its buttons are about; null without buttons. */
  answerId: string | null
  /** Identifies the message among those sent, so that one whose id was lost can be found again. */
  mark: string
}

/** Body of an HTTP reply to a platform. */
export type ChatAck = { [name: string]: JsonValue }

export interface ReadChatRequest {
  /** The HTTP reply if the event is handled, or nothing is to do. */
  ack: ChatAck
  /** Null if nothing is to do. */
  event: ReceivedChatEvent | null
  /** Equal for repeated deliveries. */
  deliveryId: string
}

/** Id of a message that was sent and can no longer be changed. */
export const notEditable = ''

/** What differs between chat platforms. A new one is an implementation of this, and a name in `contract/bot-platforms.ts`. */
export interface BotPlatform {
  label: string
  sectionCharsMax: number
  sectionsPerMessage: number
  dialect: ChatDialect
  /** Tries the token and prepares the platform. @throws {AppError} `invalid_request`; {BotApiError} */
  connect(connection: BotConnection): Promise<BotAccount>
  /** Whether the body was signed for this bot within the last five minutes. Constant time. */
  isSigned(request: ChatRequest, bot: Pick<BotAccess, 'account' | 'credentials'>, nowMs: number): boolean
  /** @returns Null if it is not a request of the platform. */
  read(request: ChatRequest, account: BotAccount): ReadChatRequest | null
  /** The HTTP reply that shows a sentence to the person who typed a command. */
  refuse(sentence: string): ChatAck
  /** Whether people of another organization read the channel. Asked before pages that are not public are used. */
  isShared(access: BotAccess, place: ChatPlace): Promise<boolean>
  /** The message that the HTTP reply already is, perhaps `notEditable`; null if there is none. */
  findSignOfLife(event: BotEvent): string | null
  /**
   * Posts a message, or edits the one with the id.
   *
   * @returns Its id.
   * @throws {BotApiError}
   */
  send(access: BotAccess, event: BotEvent, reply: ChatReply, id: string | null): Promise<string>
  /** The id of a message that was posted although its id was not stored; null if there is none, or none can be found. */
  findPosted(access: BotAccess, event: BotEvent, mark: string): Promise<string | null>
  /** Thanks for feedback, and asks what was wrong where that is open. */
  thank(access: BotAccess, event: BotEvent & { type: 'feedback' }): Promise<void>
}
