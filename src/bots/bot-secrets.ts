import type { Bot } from '../store/bots/bots.ts'
import { openSecret, sealSecret } from '../store/sealed/sealed-secret.ts'

export interface BotCredentials {
  token: string
  /** Slack only. */
  signingSecret: string | null
}

/** Seals and opens the credentials of bots. Each is bound to its bot. */
export class BotSecrets {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  seal(botId: string, { token, signingSecret }: BotCredentials): string {
    return sealSecret(this.#key, contextOf(botId), JSON.stringify({ token, signingSecret }))
  }

  /** @throws {SealedSecretError} */
  open({ id, credentialsSealed }: Pick<Bot, 'id' | 'credentialsSealed'>): BotCredentials {
    // Sealed above, and no one else has the key.
    return JSON.parse(openSecret(this.#key, contextOf(id), credentialsSealed)) as BotCredentials
  }
}

function contextOf(botId: string): string {
  return `bot:${botId}`
}
