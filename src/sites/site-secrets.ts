import type { GitCredential } from '../git/remotes/resolve-remote.ts'
import { openSecret, sealSecret } from '../store/sealed/sealed-secret.ts'

/**
 * Seals and opens the secrets of sites. Each is bound to its site, so it cannot be moved to another in the database.
 */
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

  sealCredential(siteId: string, { username, token }: GitCredential): string {
    return sealSecret(this.#key, credentialContext(siteId), JSON.stringify({ username, token }))
  }

  openCredential(siteId: string, sealed: string): GitCredential {
    // Sealed above, and no one else has the key.
    return JSON.parse(openSecret(this.#key, credentialContext(siteId), sealed)) as GitCredential
  }

  sealContextCredential(contextId: string, { username, token }: GitCredential): string {
    return sealSecret(this.#key, contextRepositoryContext(contextId), JSON.stringify({ username, token }))
  }

  openContextCredential(contextId: string, sealed: string): GitCredential {
    // Sealed above, and no one else has the key.
    return JSON.parse(openSecret(this.#key, contextRepositoryContext(contextId), sealed)) as GitCredential
  }
}

function contextRepositoryContext(contextId: string): string {
  return `context-repository:${contextId}`
}

function identityContext(siteId: string): string {
  return `site-identity:${siteId}`
}

function credentialContext(siteId: string): string {
  return `site-source:${siteId}`
}
