import { openSecret, sealSecret } from '../store/sealed-secret.ts'

/** Seals and opens the secrets of sites. Each is bound to its site, so that one cannot be moved to another in the database. */
export class SiteSecrets {
  readonly #key: Buffer

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key
  }

  sealIdentity(siteId: string, secret: string): string {
    return sealSecret(this.#key, identityContext(siteId), secret)
  }

  openIdentity(siteId: string, sealed: string): string {
    return openSecret(this.#key, identityContext(siteId), sealed)
  }
}

function identityContext(siteId: string): string {
  return `site-identity:${siteId}`
}
