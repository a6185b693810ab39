import { hash } from 'node:crypto'
import { anchorOf, hideHeadingIds } from '../../content/markdown/heading-anchors.ts'
import { type MarkdownBlock, splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import { chunkCharsMax } from '../../content/pages/chunk-page.ts'
import { locateBlocks } from '../../content/provenance/locate-blocks.ts'
import type { SitePage } from '../../content/site-page.ts'
import type { BlockOrigin } from '../search-query.ts'
import { ByteWriter } from './byte-writer.ts'

const hashBytes = 32

/**
 * Encodes the positions of a page's blocks in its file: the length of what follows before the hashes; per block a
 * varint, 0 if it is not in the file, else a second one, its number of lines − 1; then hashes of 32 bytes.
 *
 * The first varint is 1 + isHashed + 2 × the zigzagged distance of its first line from the last line of the block
 * before. Most blocks are in the file as they are in the page: their hash is that of their text, and not stored.
 *
 * @returns Null if the page has no file.
 */
export function encodeOrigins({ markdown, source }: Pick<SitePage, 'markdown' | 'source'>): Uint8Array | null {
  if (source === undefined) return null
  const blocks = splitBlocks(markdown).map(({ text }) => hideHeadingIds(text))
  const lines = source.text.split('\n')
  const ranges = locateBlocks(blocks, { lines, bodyLine: source.bodyLine })
  const places = new ByteWriter()
  const hashes = new ByteWriter()
  let previous = 0
  for (const [index, range] of ranges.entries()) {
    if (range === null) {
      places.writeVarint(0)
      continue
    }
    const [first, last] = range
    const stored = lines.slice(first - 1, last).join('\n') + (last < lines.length ? '\n' : '')
    const isHashed = stored !== readUnhashed(blocks[index] as string)
    places.writeVarint(1 + Number(isHashed) + 2 * zigzag(first - previous))
    places.writeVarint(last - first)
    if (isHashed) hashes.writeBytes(hash('sha256', stored, 'buffer'))
    previous = last
  }
  const row = new ByteWriter()
  row.writeVarint(places.length)
  row.writeBytes(places.finish())
  row.writeBytes(hashes.finish())
  return row.finish().slice()
}

/** The lines of a block whose hash is not stored. A chunk may hold only a part of a long block, so these are stored. */
function readUnhashed(block: string): string | null {
  return block.length > chunkCharsMax ? null : `${block}\n`
}

const zigzag = (distance: number) => (distance < 0 ? -2 * distance - 1 : 2 * distance)
const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

export interface BlockRun {
  /** The id of the nearest heading above; null without one. */
  anchor: string | null
  /** Which block of the page is the first; null if unknown. */
  firstBlock: number | null
  blockCount: number
}

/**
 * Decodes the origins of consecutive blocks of a page.
 *
 * @param row As `encodeOrigins` made it; null if the page has no file.
 * @param blocks With the ids of headings.
 */
export function decodeOrigins(
  row: Uint8Array | null,
  blocks: readonly MarkdownBlock[],
  { anchor, firstBlock, blockCount }: BlockRun,
): BlockOrigin[] {
  const isKnown = row !== null && firstBlock !== null && blockCount === blocks.length
  const places = isKnown ? readPlaces(row, firstBlock, blockCount) : []
  let above = anchor
  return blocks.map(({ kind, text }, index) => {
    if (kind === 'heading') above = anchorOf(text) || null
    const place = places[index]
    if (!place) return { anchor: above, lines: null, sha256: null }
    const sha256 = place.hash ?? hash('sha256', readUnhashed(hideHeadingIds(text)) ?? '')
    return { anchor: above, lines: place.lines, sha256 }
  })
}

interface BlockPlace {
  lines: [first: number, last: number]
  /** In hex; null if it is that of the block. */
  hash: string | null
}

function readPlaces(row: Uint8Array, first: number, count: number): (BlockPlace | null)[] {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength)
  const reader = { bytes, offset: 0 }
  const length = readVarint(reader)
  let hashOffset = reader.offset + length
  let previous = 0
  const places: (BlockPlace | null)[] = []
  for (let block = 0; block < first + count; block++) {
    const code = readVarint(reader) - 1
    if (code < 0) {
      if (block >= first) places.push(null)
      continue
    }
    const start = previous + unzigzag(code >> 1)
    previous = start + readVarint(reader)
    const hashEnd = hashOffset + (code & 1) * hashBytes
    const stored = block >= first && hashEnd > hashOffset ? bytes.toString('hex', hashOffset, hashEnd) : null
    if (block >= first) places.push({ lines: [start, previous], hash: stored })
    hashOffset = hashEnd
  }
  return places
}

function readVarint(reader: { bytes: Buffer; offset: number }): number {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.offset++] as number
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
}
