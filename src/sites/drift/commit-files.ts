import type { RepositoryTree } from '../../drift/drift-state.ts'
import { fileCharsMax } from '../../drift/read-file-facts.ts'
import { listChangedEntries } from '../../git/commits/changed-entries.ts'
import { openGitObjectReader } from '../../git/trees/git-object-reader.ts'
import { normalizeFolder } from '../../git/repository-path.ts'

export interface CommitLocation {
  gitDirectory: string
  /** Full id. */
  commit: string
  /** Folder to read, with paths relative to the repository; empty for all. */
  subdirectory: string
}

const regularFile = /^100/

/** Gives a callback the files of a commit and a reader of blobs. Opens one process. */
export async function withCommitFiles<Result>(
  { gitDirectory, commit, subdirectory }: CommitLocation,
  work: (tree: RepositoryTree) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const folder = normalizeFolder(subdirectory)
  const prefix = folder === '' ? '' : `${folder}/`
  const entries = await listChangedEntries({ gitDirectory, from: null, to: commit }, signal)
  const files = entries.flatMap(({ path, mode, id }) =>
    id !== null && path.startsWith(prefix) && regularFile.test(mode ?? '') ? [{ path, id }] : [],
  )
  const reader = openGitObjectReader({ gitDirectory, blobBytesMax: fileCharsMax }, signal)
  try {
    return await work({ revision: commit, files, read: (id) => readText((blob) => reader.readBlob(blob), id, signal) })
  } finally {
    reader.close()
  }
}

/** @returns Null for binary, oversized and missing files. */
async function readText(
  readBlob: (id: string) => Promise<Uint8Array>,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  const bytes = await readBlob(id).catch((error: unknown) => {
    signal.throwIfAborted()
    // An old blob may be gone from a shallow copy after a force push.
    if (error instanceof Error && /at most|was not fetched/.test(error.message)) return null
    throw error
  })
  return bytes === null || bytes.subarray(0, 8_000).includes(0) ? null : Buffer.from(bytes).toString('utf8')
}
