import { createHmac } from 'node:crypto'
import { isRecentTimestamp } from '../../base/is-recent-timestamp.ts'
import { isSameSecret } from '../../base/same-secret.ts'

const sha256Hex = /^[0-9a-f]{64}$/i

/** Whether hex digits are the HMAC-SHA256 of a body. Constant time. */
export function isHexSignature(body: Uint8Array, secret: string | Uint8Array, hex: string): boolean {
  if (!sha256Hex.test(hex)) return false
  return isSameSecret(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

/** The hex digits of `sha256=…`; null if the header has none. */
export function readSha256(header: string | null): string | null {
  return /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1] ?? null
}

export interface StandardWebhook {
  id: string
  /** Whole seconds since 1970, as sent. */
  timestamp: string
  /** Versioned signatures separated by spaces; several while a secret is being rotated. */
  signature: string
  body: Uint8Array
}

/**
 * Whether a webhook is signed by a key, and recent.
 *
 * @see https://www.standardwebhooks.com: `v1,<base64>` of HMAC-SHA256 over `id.timestamp.body`.
 */
export function isStandardWebhook(webhook: StandardWebhook, key: Uint8Array, nowMs: number): boolean {
  const { id, timestamp, signature } = webhook
  if (id === '' || !isRecentTimestamp(timestamp, nowMs)) return false
  const expected = signStandardWebhook({ ...webhook, key })
  // Every signature is compared, so that timing does not reveal which one was close.
  const matches = signature
    .split(' ')
    .slice(0, signaturesMax)
    .filter((each) => isSameSecret(each, expected))
  return matches.length > 0
}

const signaturesMax = 20

/** @returns `v1,<base64>`. */
export function signStandardWebhook(input: {
  id: string
  timestamp: string
  body: Uint8Array
  key: Uint8Array
}): string {
  const hmac = createHmac('sha256', input.key).update(`${input.id}.${input.timestamp}.`).update(input.body)
  return `v1,${hmac.digest('base64')}`
}
