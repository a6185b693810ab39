import { readFile } from 'node:fs/promises'
import { listAcceptedEncodings } from './accepted-encoding.ts'

const endings = { br: '.br', gzip: '.gz' } as const

export interface EncodedFile {
  bytes: Buffer<ArrayBuffer>
  encoding: keyof typeof endings | null
}

/**
 * The smallest pre-compressed copy of a file that the client accepts, or else the file.
 *
 * @param accepted `Accept-Encoding` header.
 * @returns Null if there is no such file.
 */
export async function readEncoded(file: URL, accepted: string | undefined): Promise<EncodedFile | null> {
  for (const encoding of listAcceptedEncodings(accepted)) {
    const bytes = await readFileIfThere(new URL(`${file.href}${endings[encoding]}`))
    if (bytes !== null) return { bytes, encoding }
  }
  const bytes = await readFileIfThere(file)
  return bytes && { bytes, encoding: null }
}

export async function readFileIfThere(file: URL): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
