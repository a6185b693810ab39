/** A vector quantized to bytes. Only its direction is kept. */
export interface QuantizedVector {
  bytes: Int8Array
  /** One divided by the length of `bytes`: the dot product with a unit vector times this is their cosine. */
  scale: number
}

/**
 * A quarter of the size of 32-bit floats; a cosine changes by less than 0.01, which reorders only near ties.
 *
 * @param values Finite, at least one nonzero.
 */
export function quantizeVector(values: ArrayLike<number>): QuantizedVector {
  let largest = 0
  for (let place = 0; place < values.length; place++) largest = Math.max(largest, Math.abs(values[place] as number))
  const bytes = new Int8Array(values.length)
  let square = 0
  for (let place = 0; place < values.length; place++) {
    const byte = Math.round(((values[place] as number) / largest) * 127)
    bytes[place] = byte
    square += byte * byte
  }
  return { bytes, scale: 1 / Math.sqrt(square) }
}

/** @returns Null for a vector without a direction. */
export function toUnitVector(values: ArrayLike<number>): Float32Array | null {
  let square = 0
  for (let place = 0; place < values.length; place++) square += (values[place] as number) ** 2
  if (!(square > 0) || !Number.isFinite(square)) return null
  const length = Math.sqrt(square)
  return Float32Array.from(values, (value) => value / length)
}

/** A single sum would stall on the latency of the adder; four sums run in parallel. */
export function dotProduct(unit: Float32Array, bytes: Int8Array, offset: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  let place = 0
  for (; place + 3 < unit.length; place += 4) {
    first += (unit[place] as number) * (bytes[offset + place] as number)
    second += (unit[place + 1] as number) * (bytes[offset + place + 1] as number)
    third += (unit[place + 2] as number) * (bytes[offset + place + 2] as number)
    fourth += (unit[place + 3] as number) * (bytes[offset + place + 3] as number)
  }
  for (; place < unit.length; place++) first += (unit[place] as number) * (bytes[offset + place] as number)
  return first + second + third + fourth
}
