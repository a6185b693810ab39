import { updateSite } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface RotateIdentitySecretDeps {
  store: Store
  secrets: SiteSecrets
  randomBytes(size: number): Buffer
}

/**
 * Gives a site a new secret for signing the identities of its readers; the one before stops to count at once.
 *
 * @returns The secret, which can never be read again: 256 bits as base64url.
 */
export async function rotateIdentitySecret(deps: RotateIdentitySecretDeps, siteId: string): Promise<string> {
  const secret = deps.randomBytes(32).toString('base64url')
  await updateSite(deps.store.durable, siteId, { identitySecretSealed: deps.secrets.sealIdentity(siteId, secret) })
  return secret
}
