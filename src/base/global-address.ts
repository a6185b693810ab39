import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Parts of the global range that are set aside, beside those that the library of addresses names. */
const setAside = ['2001::/23', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
const globalRange = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. Everything else is refused by default: this machine, private networks, link-local
 * addresses such as the metadata services of clouds, and every IPv6 form that carries an IPv4 address inside (mapped, compatible,
 * NAT64, 6to4, Teredo), because it may lead to one of those.
 *
 * @param address As the system's resolver writes it; anything that is no address is not global.
 */
export function isGlobalAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv4) return true
  return parsed.match(globalRange) && !setAside.some((range) => parsed.match(range))
}

/** Whether the host of a URL is an address that is not global, or a name of this machine. Other names show only when they are looked up. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return /(?:^|\.)localhost\.?$/.test(bare) || (isIP(bare) !== 0 && !isGlobalAddress(bare))
}
