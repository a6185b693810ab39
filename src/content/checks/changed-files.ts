import type { FileTree } from '../trees/file-tree.ts'

/** A file before and after a change. */
export interface ChangedFile {
  path: string
  /** Null if the file does not exist or is not text. Line endings are those of the file. */
  before: string | null
  after: string | null
  /** Size after the change; 0 for a deleted file. */
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
