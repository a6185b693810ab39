import { decodeAddress } from '../trees/source-path.ts'

/**
 * Normalizes an anchor for comparison. Sites differ in how they treat punctuation and case, and a working link must
 * never be reported as broken.
 */
export function anchorKey(anchor: string): string {
  return decodeAddress(anchor)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
