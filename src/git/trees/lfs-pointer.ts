const pointerBytesMax = 1024

/**
 * Whether these bytes are a Git LFS pointer, a placeholder for a file stored elsewhere.
 *
 * @see The Git LFS specification: a pointer has fewer than 1,024 bytes, and its first line names the version.
 */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length >= pointerBytesMax) return false
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1')
  return /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//.test(start)
}
