import { hash } from 'node:crypto'

export type KeyKind = 'admin' | 'assistant'

const prefixes: Readonly<Record<KeyKind, string>> = { admin: 'svc_', assistant: 'svc_dsc_' }

/** 43 base64url characters carry 256 bits, too many to brute-force from a plain hash. */
const randomBytesPerKey = 32

/** @param randomBytes Cryptographically secure source. */
export function generateKeySecret(kind: KeyKind, randomBytes: (size: number) => Buffer): string {
  return writeKeySecret(kind, randomBytes(randomBytesPerKey))
}

/** @param bytes 256 random bits. */
export function writeKeySecret(kind: KeyKind, bytes: Buffer): string {
  return prefixes[kind] + bytes.toString('base64url')
}

/** The kind a secret claims to be; null if it is not one of our keys. The longer prefix starts with the shorter one. */
export function readKeyKind(secret: string): KeyKind | null {
  if (secret.startsWith(prefixes.assistant)) return 'assistant'
  return secret.startsWith(prefixes.admin) ? 'admin' : null
}

/**
 * The stored form of a key: SHA-256 in hex. No salt or stretching, because a key is 256 random bits, not a password.
 */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret)
}
