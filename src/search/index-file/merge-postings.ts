import { makeChunkSet } from './chunk-set.ts'
import {
  createPostingsBuffer,
  type DecodedPostings,
  decodePostings,
  type Postings,
  PostingsWriter,
} from './postings.ts'

/**
 * Returns a function that merges a term's postings in an earlier index with those of newly analysed chunks.
 *
 * The first list uses the chunk numbers of the earlier index.
 *
 * @param takenChunks By chunk of the earlier index: its new number, or -1 if not reused.
 * @param chunkCount Of the new index.
 */
export function mergePostings(
  takenChunks: Int32Array,
  chunkCount: number,
): (earlier: Postings, own: Postings | null) => Postings {
  const taken = makeChunkSet(Uint8Array.from(takenChunks, (chunk) => Number(chunk >= 0)))
  const all = makeChunkSet(new Uint8Array(chunkCount).fill(1))
  const earlierBuffer = createPostingsBuffer(takenChunks.length)
  const ownBuffer = createPostingsBuffer(chunkCount)
  const writer = new PostingsWriter()
  return (earlier, own) => {
    decodePostings(earlier, taken, earlierBuffer)
    const isRenumbered = renumber(earlierBuffer, takenChunks)
    // The common case in a site that changed little.
    if (own === null && !isRenumbered && earlierBuffer.length === earlier.chunkCount) return earlier
    ownBuffer.length = 0
    if (own !== null) decodePostings(own, all, ownBuffer)
    if (!isAscending(earlierBuffer)) sortByChunk(earlierBuffer)
    writer.clear()
    writeMerged(earlierBuffer, ownBuffer, writer)
    const { chunkCount: count, bytes } = writer.finish()
    return { chunkCount: count, bytes: bytes.slice() }
  }
}

/** @returns Whether any number changed. */
function renumber({ chunks, length }: DecodedPostings, numbers: Int32Array): boolean {
  let isChanged = false
  for (let entry = 0; entry < length; entry++) {
    const number = numbers[chunks[entry] as number] as number
    if (number !== chunks[entry]) isChanged = true
    chunks[entry] = number
  }
  return isChanged
}

function isAscending({ chunks, length }: DecodedPostings): boolean {
  for (let entry = 1; entry < length; entry++) {
    if ((chunks[entry] as number) < (chunks[entry - 1] as number)) return false
  }
  return true
}

/** Pages have moved. */
function sortByChunk(postings: DecodedPostings): void {
  const { chunks, counts, length } = postings
  const order = Array.from({ length }, (_, entry) => entry)
  order.sort((one, other) => (chunks[one] as number) - (chunks[other] as number))
  const [oldChunks, oldCounts] = [chunks.slice(0, length), counts.slice(0, length)]
  order.forEach((old, entry) => {
    chunks[entry] = oldChunks[old] as number
    counts[entry] = oldCounts[old] as number
  })
}

function writeMerged(one: DecodedPostings, other: DecodedPostings, writer: PostingsWriter): void {
  let [place, otherPlace] = [0, 0]
  while (place < one.length || otherPlace < other.length) {
    const takesOne =
      otherPlace >= other.length ||
      (place < one.length && (one.chunks[place] as number) < (other.chunks[otherPlace] as number))
    if (takesOne) writer.add(one.chunks[place] as number, one.counts[place++] as number)
    else writer.add(other.chunks[otherPlace] as number, other.counts[otherPlace++] as number)
  }
}
