import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Canonical form of an address: IPv4 written as IPv6 (`::ffff:10.0.0.1`) becomes IPv4, zones are dropped. Null if the
 * text is not an address.
 */
export function normalizeAddress(address: string): string | null {
  const bare = address
    .trim()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null
}

/**
 * Parses an address or CIDR range into its canonical form.
 *
 * @returns A sentence describing the fault if it is neither, or if it matches every address.
 */
export function parseIpRange(text: string): { range: string } | { fault: string } {
  const range = readRange(text)
  if (range === null)
    return { fault: `${JSON.stringify(text)} is neither an address nor a CIDR range such as 10.0.0.0/8.` }
  if (range[1] === 0) return { fault: `${text} lets every address in. Leave the list empty if that is what you want.` }
  return { range: `${range[0].toString()}/${range[1]}` }
}

function readRange(text: string): Range | null {
  const [address = '', bits] = text.trim().split('/')
  const canonical = ipaddr.isValid(address) && !/^\d+$/.test(address) ? ipaddr.process(address) : null
  if (canonical === null) return null
  const full = canonical.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [canonical, full]
  // The prefix length of an IPv4 range written as IPv6 includes the 96 bits of the IPv6 prefix.
  const mapped = full === 32 && address.includes(':') ? 96 : 0
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) - mapped : Number.NaN
  return Number.isInteger(length) && length >= 0 && length <= full ? [canonical, length] : null
}

/** Whether an address lies in one of the ranges, which must be canonical. An IPv4 address is never in an IPv6 range. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const canonical = normalizeAddress(address)
  if (canonical === null) return false
  const parsed = ipaddr.parse(canonical)
  return ranges.some((text) => {
    const range = readRange(text)
    return range !== null && range[0].kind() === parsed.kind() && parsed.match(range)
  })
}
