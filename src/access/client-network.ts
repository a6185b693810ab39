import ipaddr from 'ipaddr.js'
import { normalizeAddress } from './keys/ip-ranges.ts'

/** An IPv6 host usually gets a whole /64 and picks addresses in it freely. */
const networkBits = { ipv4: 32, ipv6: 64 } as const

/** Largest range one customer usually gets. Another network within it may still be the same client. */
const blockBits = { ipv4: 24, ipv6: 48 } as const

/**
 * The network by which limits and sessions tell clients apart: an IPv4 address, or the /64 of an IPv6 address
 * (`2001:db8:0:1::/64`).
 *
 * An IPv6 address that embeds an IPv4 one (mapped, translated, 6to4, Teredo) counts as that IPv4 address, so that no
 * client gets two networks by writing its address in two ways. Other text is returned unchanged.
 */
export function clientNetwork(address: string): string {
  return maskAddress(address, networkBits)
}

/** The block of networks around a client, which operators can limit as a whole: `203.0.113.0/24`, `2001:db8:1::/48`. */
export function addressBlock(address: string): string {
  return maskAddress(address, blockBits)
}

/** The block of an IPv6 client, of which one customer may hold every network; null for IPv4, whose blocks are shared. */
export function findOwnBlock(address: string): string | null {
  const block = addressBlock(address)
  return block.includes(':') ? block : null
}

function maskAddress(address: string, bitsOfKind: Readonly<Record<'ipv4' | 'ipv6', number>>): string {
  const canonical = normalizeAddress(address)
  if (canonical === null) return address
  const written = ipaddr.parse(canonical)
  const parsed = written instanceof ipaddr.IPv6 ? (readEmbeddedIpv4(written) ?? written) : written
  const bits = bitsOfKind[parsed.kind()]
  const bytes = parsed.toByteArray()
  if (bits === bytes.length * 8) return parsed.toString()
  return `${ipaddr.fromByteArray(bytes.map((byte, index) => (index < bits / 8 ? byte : 0))).toString()}/${bits}`
}

/**
 * Where an IPv6 address embeds an IPv4 address, by range.
 *
 * @see RFC 4291 (mapped), RFC 6145, RFC 6052 (translated), RFC 3056 (6to4), RFC 4380 (Teredo, which inverts the bits).
 */
const embeddedStart: Readonly<Record<string, number>> = {
  ipv4Mapped: 12,
  rfc6145: 12,
  rfc6052: 12,
  '6to4': 2,
  teredo: 12,
}

function readEmbeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray()
  const range = address.range()
  const start = embeddedStart[range] ?? (isCompatible(bytes, range) ? 12 : null)
  if (start === null) return null
  const part = bytes.slice(start, start + 4)
  return new ipaddr.IPv4(range === 'teredo' ? part.map((byte) => byte ^ 0xff) : part)
}

/** The deprecated IPv4-compatible form of RFC 4291: `::203.0.113.7`. */
function isCompatible(bytes: readonly number[], range: string): boolean {
  return range !== 'loopback' && range !== 'unspecified' && bytes.slice(0, 12).every((byte) => byte === 0)
}
