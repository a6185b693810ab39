import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Reserved ranges that the address library counts as global. */
const setAside = ['2001::/23', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
const globalRange = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. Everything else is refused by default: this machine, private networks,
 * link-local addresses such as cloud metadata services, and every IPv6 form that embeds an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo), because it may lead to one of those.
 *
 * @param address As returned by the system's resolver; anything that is not an address is not global.
 */
export function isGlobalAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv4) return true
  return parsed.match(globalRange) && !setAside.some((range) => parsed.match(range))
}

/** Whether a URL's host is a non-global address or a name of this machine. Other names can only be judged once resolved. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return /(?:^|\.)localhost\.?$/.test(bare) || (isIP(bare) !== 0 && !isGlobalAddress(bare))
}
