import { createHmac } from 'node:crypto'

/**
 * The secret that a site's webhooks are signed with. Made of a key of the installation, so that it is nowhere stored and
 * can be shown again.
 *
 * @param key What `deriveKey('webhooks')` gives.
 */
export function webhookSecretOf(key: Buffer, siteId: string): string {
  return createHmac('sha256', key).update(siteId).digest('base64url')
}
