import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Flushes a file, or the names in a folder, to disk, so that a power cut does not undo them. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
