/** An image by its own bytes. */
export interface ImageHeader {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  /** Pixels. */
  width: number
  height: number
}

/**
 * Reads what kind of image some bytes are, and its size, whatever their name claims. The pixels are not decoded. Linear
 * in the length.
 *
 * @returns Null if they are no PNG, JPEG, WebP or GIF image.
 */
export function readImage(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const found = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view)
    return found !== null && found.width > 0 && found.height > 0 ? found : null
  } catch (error) {
    // The bytes end within the header.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Whether the bytes at a place are these ASCII characters. */
function hasText(view: DataView, place: number, text: string): boolean {
  return Array.from(text).every((char, index) => view.getUint8(place + index) === char.charCodeAt(0))
}

function readPng(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || !hasText(view, 12, 'IHDR')) return null
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function readGif(view: DataView): ImageHeader | null {
  if (!hasText(view, 0, 'GIF87a') && !hasText(view, 0, 'GIF89a')) return null
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function readWebp(view: DataView): ImageHeader | null {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBPVP8')) return null
  const kind = String.fromCharCode(view.getUint8(15))
  const sizes: Record<string, () => [width: number, height: number]> = {
    ' ': () => [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff],
    L: () => [(view.getUint32(21, true) & 0x3fff) + 1, ((view.getUint32(21, true) >> 14) & 0x3fff) + 1],
    X: () => [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1],
  }
  const size = sizes[kind]?.()
  return size === undefined ? null : { mediaType: 'image/webp', width: size[0], height: size[1] }
}

/** Frame headers, which contain the size, are the segments C0 to CF except three. */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null
  for (let place = 2; view.getUint8(place) === 0xff;) {
    const marker = view.getUint8(place + 1)
    if (marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker)) {
      return { mediaType: 'image/jpeg', width: view.getUint16(place + 7), height: view.getUint16(place + 5) }
    }
    // Fill bytes have no length; all segments before the frame have a length.
    place += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(place + 2))
  }
  return null
}
