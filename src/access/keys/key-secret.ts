import { hash } from 'node:crypto'

export type KeyKind = 'admin' | 'assistant'

const prefixes: Readonly<Record<KeyKind, string>> = { admin: 'svc_', assistant: 'svc_dsc_' }

/** 43 characters of base64url carry 256 bits, so a plain hash of a key cannot be searched. */
const randomBytesPerKey = 32

/** @param randomBytes The platform's secure source, handed in. */
export function generateKeySecret(kind: KeyKind, randomBytes: (size: number) => Buffer): string {
  return prefixes[kind] + randomBytes(randomBytesPerKey).toString('base64url')
}

/** The kind that a secret claims to be, or null for what is no key of ours. The longer prefix starts with the shorter one. */
export function keyKindOf(secret: string): KeyKind | null {
  if (secret.startsWith(prefixes.assistant)) return 'assistant'
  return secret.startsWith(prefixes.admin) ? 'admin' : null
}

/** What is stored instead of the key: SHA-256, in hex. No salt or stretching, because a key is 256 random bits and no password. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret)
}
