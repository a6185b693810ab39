/** Where in a chat something happened, in ids of the platform. */
export interface ChatPlace {
  /** Workspace or server; null in direct messages of platforms that have none there. */
  workspaceId: string | null
  channelId: string
  /** The channel that a thread with its own id belongs to. */
  parentId: string | null
  /** What messages of one conversation have in common: the first message of a thread, or a thread's channel. */
  threadId: string | null
  /** The message that asked; null for commands. */
  messageId: string | null
  userId: string
  isDirect: boolean
  /** Whether people of another organization may read along. */
  isShared: boolean
  /** Authorizes replies to a command or a button for 15 to 30 minutes; null for messages. */
  replyToken: string | null
}

/** A question. `message` does not address the bot: whether it is answered depends on channel and thread. */
export interface ChatQuestion {
  type: 'question'
  place: ChatPlace
  trigger: 'mention' | 'direct' | 'command' | 'message'
  /** Without the platform's markup. */
  text: string
}

/** A pressed button below an answer. */
export interface ChatFeedback {
  type: 'feedback'
  place: ChatPlace
  /** Id of the stored answer. */
  messageId: string
  isHelpful: boolean
  reason: string | null
}

/** Someone who alone saw an answer shows it to the channel. */
export interface ChatShare {
  type: 'share'
  place: ChatPlace
  messageId: string
}

/** A message to the channel for unanswered questions. */
export interface ChatNotice {
  type: 'notice'
  /** Markdown. */
  text: string
  channelId: string
}

export type ReceivedChatEvent = ChatQuestion | ChatFeedback | ChatShare
export type BotEvent = ReceivedChatEvent | ChatNotice

/** What may be wrong with an answer, as the widget stores it as well, with labels. */
export const feedbackReasons = {
  incorrect: 'It is wrong',
  'not-asked': 'Not what I asked',
  outdated: 'It is outdated',
  incomplete: 'Something is missing',
  unclear: 'Hard to follow',
  other: 'Something else',
} as const

export function readFeedbackReason(value: string): string | null {
  return Object.hasOwn(feedbackReasons, value) ? value : null
}
