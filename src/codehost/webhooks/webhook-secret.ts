import { createHmac } from 'node:crypto'

/**
 * The secret with which a site's webhooks are signed. Derived from a key of the installation, so it is stored nowhere
 * and can be shown again.
 *
 * @param key From `deriveKey('webhooks')`.
 */
export function webhookSecretOf(key: Buffer, siteId: string): string {
  return createHmac('sha256', key).update(siteId).digest('base64url')
}
