import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLogo } from './read-logo.ts'

const png = (width: number, height: number, { after = '' } = {}) => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)])
  }
  const parts = [chunk('IHDR', head), chunk('IDAT', Buffer.from('data')), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), ...parts, Buffer.from(after)])
}

/** In the extended format, which states its dimensions. */
const webp = (width: number, height: number) => {
  const file = Buffer.alloc(34)
  file.write('RIFF', 0)
  file.writeUInt32LE(26, 4)
  file.write('WEBPVP8X', 8)
  file.writeUInt32LE(10, 16)
  file.writeUIntLE(width - 1, 24, 3)
  file.writeUIntLE(height - 1, 27, 3)
  return file
}

describe('a logo', () => {
  it('is a PNG or WebP image, whose sides are read', () => {
    expect(readLogo(png(64, 32))).toEqual({ type: 'image/png', width: 64, height: 32 })
    expect(readLogo(webp(64, 32))).toEqual({ type: 'image/webp', width: 64, height: 32 })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a drawing, which can hold a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a page behind an image', png(64, 32, { after: '<script>alert(1)</script>' })],
    ['a cut image', png(64, 32).subarray(0, 40)],
    ['a cut WebP image', webp(64, 32).subarray(0, 32)],
    ['a huge image', png(20_000, 32)],
    ['a tiny image', webp(1, 1)],
  ])('is not %s', (_, bytes) => {
    expect(readLogo(bytes)).toBeNull()
  })

  it('is never read beyond its end', () => {
    const start = fc.constantFrom(png(64, 32), webp(64, 32))
    fc.assert(
      fc.property(start, fc.nat(60), fc.uint8Array({ maxLength: 8 }), (image, at, noise) => {
        const damaged = Buffer.from(image)
        damaged.set(noise.subarray(0, Math.max(0, damaged.length - at)), Math.min(at, damaged.length))
        readLogo(damaged.subarray(0, at + 20))
      }),
    )
  })
})
