import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const version = 'v1'
const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a small secret for storage: `v1.nonce.ciphertext-and-tag`, base64url.
 *
 * @param key 32 bytes.
 * @param context Identifies the secret's owner, such as `site:SITE_ID:identity`. Decryption requires the same context,
 *   so a sealed secret copied to another row does not open there.
 * @throws {RangeError} when the key has another length.
 * @see NIST SP 800-38D. Random nonces of 96 bits are safe for 2^32 secrets under one key.
 */
export function sealSecret(key: Uint8Array, context: string, secret: string): string {
  assertKey(key)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(`${version}.${context}`))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** A stored secret cannot be decrypted with the current key. */
export class SealedSecretError extends Error {
  override readonly name = 'SealedSecretError'
}

/** @throws {SealedSecretError} when the text was tampered with, or sealed under another key or context. */
export function openSecret(key: Uint8Array, context: string, sealed: string): string {
  assertKey(key)
  const [textVersion, nonceText, bodyText, ...rest] = sealed.split('.')
  if (textVersion !== version || nonceText === undefined || bodyText === undefined || rest.length > 0) {
    throw new SealedSecretError(
      'A stored secret has an unknown format. Start the version of Docent that stored it, or set the secret again.',
    )
  }
  const [nonce, body] = [Buffer.from(nonceText, 'base64url'), Buffer.from(bodyText, 'base64url')]
  if (nonce.length !== nonceBytes || body.length < tagBytes) throw cannotOpen()
  try {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(`${version}.${context}`))
    decipher.setAuthTag(body.subarray(-tagBytes))
    return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw cannotOpen(cause)
  }
}

function cannotOpen(cause?: unknown): SealedSecretError {
  return new SealedSecretError(
    'A stored secret cannot be decrypted with this key. Set DOCENT_SECRET_KEY to the key that it was encrypted with, or set the secret again.',
    { cause },
  )
}

function assertKey(key: Uint8Array): void {
  if (key.length !== keyBytes)
    throw new RangeError(`The key for sealing secrets must have ${keyBytes} bytes, not ${key.length}.`)
}
