import { createHash } from 'node:crypto'

/** A few milliseconds in a browser: not noticeable to an honest reader. */
const bitsMin = 12

/** Some seconds in a browser. More would lock readers out, which is what an attacker wants. */
const bitsMax = 19

/** A session stays valid if its proof was at most this many bits easier than the current puzzle. */
const bitsTolerance = 2

/** Longest nonce accepted. */
const nonceCharsMax = 20

/**
 * Difficulty of a puzzle now: 0 up to the normal rate, then two bits more for each doubling, so that a network's total
 * work grows with the cube of its rate.
 *
 * @param perMinute Requests of the network per minute.
 * @param normal Rate that the owner considers normal, at least 1.
 * @returns Leading zero bits that the hash must have; each doubles the work.
 */
export function chooseProofBits(perMinute: number, normal: number): number {
  if (perMinute <= normal) return 0
  return Math.min(bitsMax, bitsMin + Math.floor(2 * Math.log2(perMinute / normal)))
}

/**
 * The inverse: requests per minute that a network may make with a session of `bits`.
 *
 * @returns A whole number, at least `normal`; `Infinity` if the session is good for any rate.
 */
export function requestsProvenBy(bits: number, normal: number): number {
  const provenBits = bits + bitsTolerance
  if (provenBits >= bitsMax) return Infinity
  if (provenBits < bitsMin) return normal
  return Math.ceil(normal * 2 ** ((provenBits - bitsMin + 1) / 2)) - 1
}

/**
 * Whether a nonce solves a puzzle: SHA-256 of `challenge:nonce` starts with `bits` zero bits. Costs one hash.
 *
 * @see Back: Hashcash - A Denial of Service Counter-Measure, 2002.
 */
export function isProof(challenge: string, nonce: string, bits: number): boolean {
  if (nonce.length > nonceCharsMax) return false
  const hash = createHash('sha256').update(`${challenge}:${nonce}`).digest()
  return countLeadingZeroBits(hash) >= bits
}

function countLeadingZeroBits(hash: Buffer): number {
  const first = hash.findIndex((byte) => byte !== 0)
  // `clz32` counts within 32 bits; a byte is the last eight.
  return first < 0 ? hash.length * 8 : first * 8 + Math.clz32(hash[first] ?? 0) - 24
}
