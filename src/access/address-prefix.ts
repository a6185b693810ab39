import ipaddr from 'ipaddr.js'
import { normalizeAddress } from './ip-ranges.ts'

/** What one customer of a provider usually has: whoever changes addresses within it is still the same. */
const prefixBits = { ipv4: 24, ipv6: 48 } as const

/** The network of an address: `203.0.113.0/24`, `2001:db8:1::/48`. What is no address stands for itself. */
export function addressPrefix(address: string): string {
  const canonical = normalizeAddress(address)
  if (canonical === null) return address
  const parsed = ipaddr.parse(canonical)
  const bits = prefixBits[parsed.kind()]
  const bytes = parsed.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
