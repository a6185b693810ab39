import { openSecret, sealSecret } from '../store/sealed/sealed-secret.ts'

const standardPrefix = 'whsec_'
const secretBytes = 32

/** Creates, seals and opens the signing secrets of webhooks. Each is bound to its endpoint. */
export class WebhookSecrets {
  readonly #key: Buffer
  readonly #randomBytes: (size: number) => Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer, randomBytes: (size: number) => Buffer) {
    this.#key = key
    this.#randomBytes = randomBytes
  }

  /** A new secret in the form shown to the owner once: `whsec_` and base64. */
  make(): string {
    return `${standardPrefix}${this.#randomBytes(secretBytes).toString('base64')}`
  }

  seal(endpointId: string, secret: string): string {
    return sealSecret(this.#key, contextOf(endpointId), secret)
  }

  /** The bytes that sign messages to an endpoint. @throws {SealedSecretError} */
  openKey(endpointId: string, sealed: string): Buffer {
    return Buffer.from(openSecret(this.#key, contextOf(endpointId), sealed).slice(standardPrefix.length), 'base64')
  }
}

function contextOf(endpointId: string): string {
  return `webhook-endpoint:${endpointId}`
}
