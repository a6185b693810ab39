import type { FileTree } from '../trees/file-tree.ts'

/** A file on both sides of a change. */
export interface ChangedFile {
  path: string
  /** Null where the file is not there or is no text. Line ends are as in the file. */
  before: string | null
  after: string | null
  /** Bytes afterwards; 0 for a deleted file. */
  bytesAfter: number
  isDeleted: boolean
}

export async function readChangedFiles(
  { before, after, changedPaths }: { before: FileTree; after: FileTree; changedPaths: readonly string[] },
  signal: AbortSignal,
): Promise<ChangedFile[]> {
  const [pathsBefore, pathsAfter] = [new Set(before.paths), new Set(after.paths)]
  const files: ChangedFile[] = []
  for (const path of [...new Set(changedPaths)].sort()) {
    signal.throwIfAborted()
    const bytesBefore = pathsBefore.has(path) ? await before.read(path) : null
    const bytesAfter = pathsAfter.has(path) ? await after.read(path) : null
    files.push({
      path,
      before: decode(bytesBefore),
      after: decode(bytesAfter),
      bytesAfter: bytesAfter?.length ?? 0,
      isDeleted: bytesAfter === null,
    })
  }
  return files
}

function decode(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
