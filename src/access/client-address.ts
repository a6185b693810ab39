import { isInRanges, normalizeAddress, parseIpRange } from './keys/ip-ranges.ts'

/** Which proxies in front of us may name the client they forward for. */
export type TrustedProxies = { kind: 'count'; count: number } | { kind: 'addresses'; ranges: readonly string[] }

/**
 * Parses `DOCENT_TRUST_PROXY`: a number of proxies, or their addresses.
 *
 * @throws {Error} with a readable sentence if it is neither.
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
 * The client's address, as reported by trusted hops only.
 *
 * Hops are read from the nearest outwards. A forged header entry lies beyond the trusted hops, so it is never read.
 *
 * @param socketAddress Remote end of the connection.
 * @param forwardedFor The `X-Forwarded-For` header, if any.
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

/** Some proxies append the port. */
function readHop(text: string): string | null {
  const hop = text.trim()
  return normalizeAddress(hop) ?? normalizeAddress(hop.replace(/:\d+$/, ''))
}
