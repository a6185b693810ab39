/** @returns Null if it is not UTF-8 text. Keeps a byte order mark, so that writing the text gives the same bytes. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
