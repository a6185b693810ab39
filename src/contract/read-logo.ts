export interface Logo {
  type: 'image/png' | 'image/webp'
  width: number
  height: number
}

/** Sides of a logo, in pixels. The bound keeps a small file from becoming a huge picture. */
const sideMin = 16
const sideMax = 1_024

/** @returns Null unless the bytes are one whole PNG or WebP image, with nothing behind it, whose sides are in bounds. */
export function readLogo(bytes: Uint8Array): Logo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const logo = readPng(view) ?? readWebp(view)
  const fits = logo !== null && [logo.width, logo.height].every((side) => side >= sideMin && side <= sideMax)
  return fits ? logo : null
}

function hasText(view: DataView, at: number, text: string): boolean {
  return (
    at + text.length <= view.byteLength && text.split('').every((c, i) => view.getUint8(at + i) === c.charCodeAt(0))
  )
}

/** A chunk is its length, its name, its data and a sum. */
const chunkFrame = 12

/** @see https://www.w3.org/TR/png-3/#5DataRep */
function readPng(view: DataView): Logo | null {
  if (!hasText(view, 0, '\u0089PNG\r\n\u001a\n') || !hasText(view, 12, 'IHDR')) return null
  let at = 8
  while (at + chunkFrame <= view.byteLength) {
    const end = at + chunkFrame + view.getUint32(at)
    if (hasText(view, at + 4, 'IEND')) {
      return end === view.byteLength
        ? { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
        : null
    }
    at = end
  }
  return null
}

/** Bytes of the container's head, and of the largest head of a picture. */
const webpHead = 30

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(view: DataView): Logo | null {
  if (view.byteLength < webpHead || !hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return null
  if (view.getUint32(4, true) + 8 !== view.byteLength) return null
  const sides = readWebpSides(view)
  return sides === null ? null : { type: 'image/webp', width: sides[0], height: sides[1] }
}

function readWebpSides(view: DataView): [number, number] | null {
  if (hasText(view, 12, 'VP8X')) return [1 + readUint24(view, 24), 1 + readUint24(view, 27)]
  if (hasText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true)
    return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]
  }
  if (!hasText(view, 12, 'VP8 ') || !hasText(view, 23, '\u009d\u0001*')) return null
  return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
