import { decodeAddress } from '../trees/source-path.ts'

/**
 * What two writings of one anchor have in common. Sites differ in how they treat punctuation and case, and a link that
 * works must never be called broken.
 */
export function anchorKey(anchor: string): string {
  return decodeAddress(anchor)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
