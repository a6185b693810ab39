import { openSecret, sealSecret } from '../store/sealed/sealed-secret.ts'

/** Seals and opens the secrets of Apps. Each is bound to its App, so that one cannot be moved to another in the database. */
export class CodeHostAppSecrets {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  sealPrivateKey(id: string, privateKey: string): string {
    return sealSecret(this.#key, `code-host-app-key:${id}`, privateKey)
  }

  openPrivateKey({ id, privateKeySealed }: { id: string; privateKeySealed: string }): string {
    return openSecret(this.#key, `code-host-app-key:${id}`, privateKeySealed)
  }

  sealWebhookSecret(id: string, secret: string): string {
    return sealSecret(this.#key, `code-host-app-webhook:${id}`, secret)
  }

  /** Null where the App takes no webhooks. */
  openWebhookSecret({ id, webhookSecretSealed }: { id: string; webhookSecretSealed: string | null }): string | null {
    return webhookSecretSealed === null
      ? null
      : openSecret(this.#key, `code-host-app-webhook:${id}`, webhookSecretSealed)
  }
}
