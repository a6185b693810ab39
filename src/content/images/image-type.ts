import { posix } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** The media type of an image that pages may show, by its extension; null for all other files. */
export function imageTypeOf(path: string): string | null {
  const extension = posix.extname(path).toLowerCase()
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null
}
