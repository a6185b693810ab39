/** A set of chunks with fast range checks. */
export interface ChunkSet {
  /** By chunk: 1 if it is in the set. */
  mask: Uint8Array
  /** By chunk: how many earlier ones are in the set; one entry more than there are chunks. */
  before: Int32Array
  count: number
}

export function makeChunkSet(mask: Uint8Array): ChunkSet {
  const before = new Int32Array(mask.length + 1)
  for (let chunk = 0; chunk < mask.length; chunk++)
    before[chunk + 1] = (before[chunk] as number) + (mask[chunk] as number)
  return { mask, before, count: before[mask.length] as number }
}
