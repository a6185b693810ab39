import { isInRanges, normalizeAddress, parseIpRange } from './keys/ip-ranges.ts'

/** Which hops before us are believed about who came before them. */
export type TrustedProxies = { kind: 'count'; count: number } | { kind: 'addresses'; ranges: readonly string[] }

/**
 * Reads `DOCENT_TRUST_PROXY`: a number of proxies, or their addresses.
 *
 * @throws {Error} with a sentence, when it is neither.
 */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (/^\d{1,2}$/.test(text.trim())) return { kind: 'count', count: Number(text) }
  const ranges = text.split(',').map((part) => {
    const parsed = parseIpRange(part)
    if ('fault' in parsed) throw new Error(`DOCENT_TRUST_PROXY: ${parsed.fault}`)
    return parsed.range
  })
  return { kind: 'addresses', ranges }
}

/**
 * The address of the client, told only by trusted hops.
 *
 * The list of hops is read from the nearest one outwards: a header that a client invents lies further out than the
 * trusted hops reach, so it is never looked at.
 *
 * @param socketAddress The other end of the connection.
 * @param forwardedFor The header `X-Forwarded-For`, if any.
 */
export function resolveClientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  const nearest = normalizeAddress(socketAddress) ?? socketAddress
  let current = nearest
  if (forwardedFor === undefined) return nearest
  const hops = forwardedFor.split(',').map(readHop).reverse()
  for (const [index, hop] of hops.entries()) {
    const isTrusted = trusted.kind === 'count' ? index < trusted.count : isInRanges(current, trusted.ranges)
    if (!isTrusted || hop === null) return current
    current = hop
  }
  return current
}

/** Some proxies add the port. */
function readHop(text: string): string | null {
  const hop = text.trim()
  return normalizeAddress(hop) ?? normalizeAddress(hop.replace(/:\d+$/, ''))
}
