import { hash, timingSafeEqual } from 'node:crypto'

/** Compares in constant time. Compares hashes, so that not even the length of the secret leaks. */
export function isSameSecret(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}
