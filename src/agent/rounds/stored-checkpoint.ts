import type { SavedOverlay } from '../../git/overlay/overlay.ts'
import type { JobCheckpoint } from './job-checkpoint.ts'

/** A checkpoint as it is stored with each step: without the changed files, which grow with the work. */
export type StoredCheckpoint = Omit<JobCheckpoint, 'overlay'>

/** How a step changed the overlay, stored with it for good. */
export interface FileChanges {
  /** With another base than before, nothing of the earlier changes is left. */
  base: string
  /** Files that differ from those of the step before. */
  files: SavedOverlay['files']
  /** Paths whose files are those of the base again. */
  reset: string[]
}

/**
 * What a step has to store of a checkpoint.
 *
 * @param before The overlay of the step before; null for the first step.
 */
export function packCheckpoint({ overlay, ...checkpoint }: JobCheckpoint, before: SavedOverlay | null) {
  return { checkpoint: checkpoint satisfies StoredCheckpoint, fileChanges: diffOverlays(before, overlay) }
}

function diffOverlays(before: SavedOverlay | null, { base, files }: SavedOverlay): FileChanges | null {
  const isSameBase = before?.base === base
  const known = new Map(isSameBase ? before.files.map((file) => [file.path, JSON.stringify(file)]) : [])
  const changed = files.filter((file) => known.get(file.path) !== JSON.stringify(file))
  const left = new Set(files.map(({ path }) => path))
  const reset = [...known.keys()].filter((path) => !left.has(path))
  return isSameBase && changed.length === 0 && reset.length === 0 ? null : { base, files: changed, reset }
}

/** @param stored A state as its steps stored it. */
export function unpackCheckpoint(stored: { checkpoint: StoredCheckpoint; fileChanges: object[] }): JobCheckpoint {
  const files = new Map<string, SavedOverlay['files'][number]>()
  let current = ''
  // Written by `packCheckpoint`.
  for (const { base, files: changed, reset } of stored.fileChanges as FileChanges[]) {
    if (base !== current) files.clear()
    current = base
    for (const path of reset) files.delete(path)
    for (const file of changed) files.set(file.path, file)
  }
  return { ...stored.checkpoint, overlay: { base: current, files: [...files.values()] } }
}
