import { type ChatTransport, DefaultChatTransport, type UIMessage } from 'ai'
import type { DocentUIMessage } from './docent-message.ts'
import type { FeedbackCreate, FeedbackReply, QuestionFields } from './generated/wire-types.ts'
import { ServiceRequests, type ServiceOptions } from './service-requests.ts'
import { ThreadMemory, type ThreadKeyStorage } from './thread-memory.ts'

/** Fields of a question, and those of an interface of your own. */
export type Question = Partial<QuestionFields> & Record<string, unknown>

export interface DocentTransportOptions extends ServiceOptions {
  /**
   * Fields of every question: `fp`, `currentPath`, `filter`, `context`, `links` and so on. A function is called for each
   * question. `body` of `sendMessage` overrides them.
   */
  question?: Question | (() => Question) | undefined
  /** Keeps thread keys across page loads, such as `sessionStorage`. */
  storage?: ThreadKeyStorage | undefined
  /** Address that questions are sent to, if not that of the service. */
  api?: string | undefined
}

type Method = 'sendMessages' | 'reconnectToStream'
type Input<Message extends UIMessage, Name extends Method> = Parameters<ChatTransport<Message>[Name]>[0]
type Output<Message extends UIMessage, Name extends Method> = ReturnType<ChatTransport<Message>[Name]>

/** Longer ones are refused. */
const pathCharsMax = 200

/**
 * The transport for `useChat` of the AI SDK 5, 6 and 7: continues threads, resumes answers, gets the session that a
 * website key may require, and throws errors as sentences.
 */
export class DocentTransport<Message extends UIMessage = DocentUIMessage> implements ChatTransport<Message> {
  /** A resumed answer is sent again from its start. */
  readonly resumeStreamIsReplay = true
  readonly #options: DocentTransportOptions
  readonly #requests: ServiceRequests
  readonly #threads: ThreadMemory

  constructor(options: DocentTransportOptions) {
    this.#options = options
    this.#requests = new ServiceRequests(options)
    this.#threads = new ThreadMemory(options.storage ?? null)
  }

  sendMessages(options: Input<Message, 'sendMessages'>): Output<Message, 'sendMessages'> {
    return this.#open(options.chatId).sendMessages(options)
  }

  reconnectToStream(options: Input<Message, 'reconnectToStream'>): Output<Message, 'reconnectToStream'> {
    return this.#open(options.chatId).reconnectToStream(options)
  }

  /** Rates an answer: `messageId` is the `id` of its message. Sending it again replaces the feedback. */
  sendFeedback(feedback: FeedbackCreate): Promise<FeedbackReply> {
    const { fp } = this.#readQuestion()
    return this.#requests.post('assistant/{site}/feedback', { fp, ...feedback })
  }

  /** Stops the model at once; `stop()` of `useChat` leaves it the time to be resumed. */
  stopAnswer(chatId: string): Promise<{ stopped: boolean }> {
    return this.#requests.post(`assistant/{site}/message/${encodeURIComponent(chatId)}/stop`, {})
  }

  /** One inner transport for each request, because only its functions know the chat. */
  #open(chatId: string): DefaultChatTransport<Message> {
    const api = this.#options.api ?? this.#requests.address('assistant/{site}/message')
    return new DefaultChatTransport<Message>({
      api,
      fetch: async (address, init = {}) => {
        const response = await this.#requests.send(address, init)
        this.#threads.note(chatId, response.headers)
        return response
      },
      prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
        body: {
          ...this.#readQuestion(),
          ...this.#threads.find(id, messages, trigger === 'regenerate-message'),
          ...body,
          id,
          messages: withReadParts(messages),
          trigger,
          messageId,
        },
      }),
      prepareReconnectToStreamRequest: ({ id }) => ({ api: `${api}/${encodeURIComponent(id)}/stream` }),
    })
  }

  #readQuestion(): Question {
    const { question = {} } = this.#options
    const fields = typeof question === 'function' ? question() : question
    const { currentPath } = fields
    return {
      fp: 'anonymous',
      ...fields,
      ...(typeof currentPath === 'string' && { currentPath: Array.from(currentPath).slice(0, pathCharsMax).join('') }),
    }
  }
}

/**
 * The service reads only text, and the files of the newest question. Passages and citations would be sent back with every
 * question, and one large file would make all that follow too large.
 */
function withReadParts(messages: readonly UIMessage[]): object[] {
  const newest = messages.findLast(({ role }) => role === 'user')
  return messages.map((message) => {
    const { id, role, parts } = message
    return { id, role, parts: parts.filter(({ type }) => type === 'text' || (type === 'file' && message === newest)) }
  })
}
