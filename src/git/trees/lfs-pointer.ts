const pointerBytesMax = 1024

/**
 * Whether these bytes are what Git LFS puts into a repository in place of a file that it keeps elsewhere.
 *
 * @see The specification of Git LFS: a pointer has fewer than 1,024 bytes, and its first line names the version.
 */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length >= pointerBytesMax) return false
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1')
  return /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//.test(start)
}
