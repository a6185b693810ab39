import type { FileTree } from '../trees/file-tree.ts'
import { type ChangedFile, readChangedFiles } from './changed-files.ts'
import { checkChangeSize } from './check-change-size.ts'
import { checkDataFile } from './check-data-file.ts'
import { checkSite } from './check-site.ts'
import { checkText } from './check-text.ts'
import { type Fault, findAddedFaults, type Problem } from './problem.ts'
import { protectedPathReason } from './protected-paths.ts'

/** Limits on a change. */
export interface ChangeLimits {
  /** Most files, deleted ones included; default 200. */
  filesMax?: number
  /** Most bytes of one file afterwards; default 1 MiB. */
  fileBytesMax?: number
  /** Most bytes of all changed files together afterwards; default 8 MiB. */
  bytesMax?: number
}

export interface CheckChangeInput {
  /**
   * The files before. What is learned of them is kept as long as the object lives, so that checking again over the same
   * base is quick: hand in the same object.
   */
  before: FileTree
  /** The files after: the same but for `changedPaths`. */
  after: FileTree
  /** Every path that was added, changed, deleted or moved, for the latter both. */
  changedPaths: readonly string[]
  /** New path → old path of files that were moved, so that their old faults are not taken for new ones. */
  renamed?: ReadonlyMap<string, string>
  limits?: ChangeLimits
}

/**
 * Finds what a change makes worse: pages that no longer parse, links and anchors that lead nowhere, on pages that link to
 * what was moved or removed too, entries of the navigation without a page, broken configuration and API descriptions,
 * residue of tools, conflict markers, secrets, invisible characters, files that no documentation change should touch, and
 * sizes. What was wrong before and still is counts for nothing.
 *
 * Parses and compares, and runs nothing of the site. Takes about 25 ms per changed page, after some hundred for the first
 * look at a site of a thousand pages: call it where nothing else waits.
 *
 * @returns Blocking problems first, then by path and line.
 * @throws The signal's reason when it is aborted.
 */
export async function checkChange(input: CheckChangeInput, signal: AbortSignal): Promise<Problem[]> {
  const { before, after, renamed = new Map<string, string>(), limits = {} } = input
  const files = await readChangedFiles({ before, after, changedPaths: input.changedPaths }, signal)
  const site = await checkSite({ before, after, files, renamed }, signal)
  const added = findAddedFaults({
    before: [...(await checkFiles(files, 'before', signal)), ...site.before],
    after: [...(await checkFiles(files, 'after', signal)), ...site.after],
    renamed,
  })
  const ofChange = findAddedFaults({
    before: [],
    after: [...checkChangeSize(files, limits), ...files.flatMap(({ path }) => protectedFault(path))],
    renamed,
  })
  return [...keepOnePerFile(added), ...ofChange].sort(compareProblems)
}

async function checkFiles(
  files: readonly ChangedFile[],
  side: 'before' | 'after',
  signal: AbortSignal,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const file of files) {
    signal.throwIfAborted()
    const text = file[side]
    if (text !== null) faults.push(...checkText(file.path, text), ...(await checkDataFile(file.path, text)))
  }
  return faults
}

/** A file that does not parse is reported by its own check and by reading the site. */
function keepOnePerFile(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ rule, path }) => {
    if (rule !== 'config-unparsable') return true
    const isFirst = !seen.has(path)
    seen.add(path)
    return isFirst
  })
}

function protectedFault(path: string) {
  const reason = protectedPathReason(path)
  if (reason === null) return []
  const message = `${path} is ${reason}, which a change of documentation leaves alone. Take the file out of the change.`
  return [{ rule: 'path-protected', path, line: null, message, severity: 'block' as const, detail: '' }]
}

function compareProblems(a: Problem, b: Problem): number {
  if (a.severity !== b.severity) return a.severity === 'block' ? -1 : 1
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}
