import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImage } from './read-image.ts'

const bytesOf = (...pieces: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, 'latin1'))))

const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3]

it.each<[string, Uint8Array, object]>([
  ['GIF', bytesOf('GIF89a', [0x20, 0x03, 0x58, 0x02, 0]), { mediaType: 'image/gif', width: 800, height: 600 }],
  ['JPEG', bytesOf(jpeg), { mediaType: 'image/jpeg', width: 800, height: 600 }],
  [
    'lossy WebP',
    bytesOf('RIFF____WEBPVP8 ____', [0, 0, 0, 0x9d, 1, 0x2a, 0x20, 0x03, 0x58, 0x02]),
    { mediaType: 'image/webp', width: 800, height: 600 },
  ],
  [
    'lossless WebP',
    bytesOf('RIFF____WEBPVP8L____', [0x2f, 0x1f, 0xc3, 0x95, 0x00]),
    { mediaType: 'image/webp', width: 800, height: 600 },
  ],
  [
    'extended WebP',
    bytesOf('RIFF____WEBPVP8X____', [0, 0, 0, 0, 0x1f, 0x03, 0, 0x57, 0x02, 0]),
    { mediaType: 'image/webp', width: 800, height: 600 },
  ],
])('reads kind and size of a %s', (_, bytes, expected) => {
  expect(readImage(bytes)).toEqual(expected)
})

it('reads kind and size of a PNG made by a browser', () => {
  const png = readFileSync(join(import.meta.dirname, '../../docs/images/answer.png'))

  expect(readImage(png)).toEqual({
    mediaType: 'image/png',
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
  })
})

it.each([
  ['nothing', ''],
  ['text', 'GIF files are images.'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a header cut off', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0'],
  ['a JPEG without a frame', '\xff\xd8\xff\xd9'],
  ['an image without a width', 'GIF89a\0\0\x01\0'],
])('takes %s for no image', (_, text) => {
  expect(readImage(bytesOf(text))).toBeNull()
})

it('never fails, whatever follows a signature', () => {
  const signature = fc.constantFrom('', 'GIF89a', '\xff\xd8\xff', 'RIFF____WEBPVP8', '\x89PNG\r\n\x1a\n')

  fc.assert(
    fc.property(signature, fc.uint8Array({ maxLength: 64 }), (start, rest) => {
      readImage(bytesOf(start, [...rest]))
    }),
  )
})
