/** Number of 32-bit words with one bit per dimension. */
export const countWords = (dimensions: number): number => (dimensions + 31) >>> 5

/**
 * One bit per dimension: whether the value is above the mean of all vectors. The mean rather than zero, because the
 * vectors of many models share a direction, and a bit that is the same for all carries no information.
 */
export function writeSignBits(
  read: (dimension: number) => number,
  mean: Float32Array,
  into: Uint32Array,
  offset: number,
): void {
  for (let dimension = 0; dimension < mean.length; dimension++) {
    if (read(dimension) <= (mean[dimension] as number)) continue
    const word = offset + (dimension >>> 5)
    into[word] = (into[word] as number) | (1 << (dimension & 31))
  }
}

/** Number of bits in which a row differs from the question: the innermost loop of a search by meaning. */
export function countDifferentBits(rows: Uint32Array, offset: number, question: Uint32Array): number {
  let count = 0
  for (let word = 0; word < question.length; word++) {
    let bits = ((rows[offset + word] as number) ^ (question[word] as number)) | 0
    bits = (bits - ((bits >>> 1) & 0x55555555)) | 0
    bits = ((bits & 0x33333333) + ((bits >>> 2) & 0x33333333)) | 0
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}
