import { runGitStrictly } from '../run-git.ts'
import { decodeText } from '../trees/decode-text.ts'
import { openGitObjectReader } from '../trees/git-object-reader.ts'
import type { TreeChange } from './replace-entries.ts'

/** A file on one side of a merge. */
export interface ConflictSide {
  /** `100644`, `100755`, `120000` for links and `160000` for submodules. */
  mode: string
  /** Full id. */
  id: string
}

/** A path that git could not merge. A side without it is null. */
export interface MergeConflict {
  path: string
  base: ConflictSide | null
  ours: ConflictSide | null
  theirs: ConflictSide | null
}

/** Merges the text of a file that both sides changed. @returns Null if it cannot. */
export type FileMerger = (file: ThreeTexts) => string | null | Promise<string | null>

interface ThreeTexts {
  path: string
  base: string
  ours: string
  theirs: string
}

/** @param entries Lines of `git merge-tree`: `<mode> <id> <stage>\t<path>`. @returns Sorted by path. */
export function parseConflicts(entries: readonly string[]): MergeConflict[] {
  const conflicts = new Map<string, MergeConflict>()
  for (const entry of entries) {
    const [, mode, id, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.+)$/s.exec(entry) ?? []
    if (mode === undefined || id === undefined || path === undefined) continue
    const known = conflicts.get(path) ?? { path, base: null, ours: null, theirs: null }
    const side = stage === '1' ? 'base' : stage === '2' ? 'ours' : 'theirs'
    conflicts.set(path, { ...known, [side]: { mode, id } })
  }
  return [...conflicts.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

const blobBytesMax = 1024 * 1024
/** Most files that are merged by a `FileMerger`. */
const filesMax = 50

interface FilesToMerge {
  gitDirectory: string
  conflicts: readonly MergeConflict[]
  mergeFile: FileMerger | undefined
}

/** @returns The new tree entries of the paths that could be merged. */
export async function mergeFiles(
  { gitDirectory, conflicts, mergeFile }: FilesToMerge,
  signal: AbortSignal,
): Promise<Map<string, TreeChange>> {
  const merged = new Map<string, TreeChange>()
  if (mergeFile === undefined) return merged
  for (const conflict of conflicts.slice(0, filesMax)) {
    const { path, base, ours, theirs } = conflict
    const isFile = base !== null && ours !== null && theirs !== null && isRegular(ours) && ours.mode === theirs.mode
    if (!isFile) continue
    const [before, one, other] = await readTexts(gitDirectory, [base.id, ours.id, theirs.id], signal)
    if (before == null || one == null || other == null) continue
    const text = await mergeFile({ path, base: before, ours: one, theirs: other })
    if (text === null) continue
    const args = ['hash-object', '-w', '--no-filters', '--stdin']
    const id = await runGitStrictly({ gitDirectory, args, signal }, { input: text })
    merged.set(path, { mode: ours.mode, id: id.toString('utf8').trim() })
  }
  return merged
}

function isRegular({ mode }: ConflictSide): boolean {
  return mode === '100644' || mode === '100755'
}

/** @returns Null for each blob that is over 1 MiB or no UTF-8 text. */
async function readTexts(
  gitDirectory: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<(string | null)[]> {
  const reader = openGitObjectReader({ gitDirectory, blobBytesMax }, signal)
  try {
    return await Promise.all(ids.map((id) => reader.readBlob(id).then(decodeText, () => null)))
  } finally {
    reader.close()
  }
}
