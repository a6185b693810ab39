import { updateSite } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface RotateIdentitySecretDeps {
  store: Store
  secrets: SiteSecrets
  randomBytes(size: number): Buffer
}

/**
 * Replaces the secret that signs reader identities for a site; the previous one stops working immediately.
 *
 * @returns The secret, which can never be read again: 256 bits as base64url.
 */
export async function rotateIdentitySecret(deps: RotateIdentitySecretDeps, siteId: string): Promise<string> {
  const secret = deps.randomBytes(32).toString('base64url')
  await updateSite(deps.store.durable, siteId, { identitySecretSealed: deps.secrets.sealIdentity(siteId, secret) })
  return secret
}
