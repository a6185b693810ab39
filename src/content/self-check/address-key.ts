import { normalizeAddress } from '../links/path-patterns.ts'
import { decodeAddress } from '../trees/source-path.ts'

/** An address as written in a link, without what does not matter: extension, index, trailing slash. */
export function addressKey(path: string): string {
  const bare = normalizeAddress(decodeAddress(path)).replace(/\.(?:mdx?|html?)$/i, '')
  return normalizeAddress(bare.replace(/\/(?:index|README)$/, ''))
}
