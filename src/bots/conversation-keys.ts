import { createHmac } from 'node:crypto'

/**
 * Derives what is stored of people and places in a chat: hashes under a key of this installation, so that neither a
 * backup nor an export names a person, and so that no reader can guess the id of a thread and write into it.
 */
export class ConversationKeys {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** The thread of a conversation. @param parts Together they identify it at the platform. */
  conversation(botId: string, ...parts: readonly (string | null)[]): string {
    return `chat_${this.#hash('conversation', botId, ...parts)}`
  }

  /** The `fp` of a user. */
  user(botId: string, userId: string): string {
    return this.#hash('user', botId, userId)
  }

  #hash(...parts: readonly (string | null)[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url')
  }
}
