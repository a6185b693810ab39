import { createHmac, timingSafeEqual } from 'node:crypto'

const sha256Hex = /^[0-9a-f]{64}$/i

/** Whether hex digits are the HMAC-SHA256 of a body. Constant time. */
export function isHexSignature(body: Uint8Array, secret: string | Uint8Array, hex: string): boolean {
  if (!sha256Hex.test(hex)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
}

/** Whether a token sent in plain text equals the secret. Compares hashes, so that the length does not leak either. */
export function isSameToken(given: string, secret: string): boolean {
  const hash = (text: string) => createHmac('sha256', 'token').update(text).digest()
  return timingSafeEqual(hash(given), hash(secret))
}

/** Allowance for clock skew and delivery time. */
const toleranceMs = 5 * 60_000

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
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false
  const expected = Buffer.from(signStandardWebhook({ ...webhook, key }))
  // Every signature is compared, so that timing does not reveal which one was close.
  const matches = signature
    .split(' ')
    .slice(0, signaturesMax)
    .filter((each) => {
      const given = Buffer.from(each)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
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
