import { changeMax } from '../finding-rules.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { findAddedSecrets } from './added-secrets.ts'
import { type ChangedFile, readChangedFiles } from './changed-files.ts'
import { checkDataFile } from './check-data-file.ts'
import { checkSite } from './check-site.ts'
import { checkText } from './check-text.ts'
import { type Fault, findAddedFaults, type Problem, makeFault } from './problem.ts'

/** In place of `changeMax`. */
export interface ChangeLimits {
  filesMax?: number
  fileBytesMax?: number
  bytesMax?: number
}

export interface CheckChangeInput {
  /**
   * The tree before the change. Results are cached per object: pass the same one to make repeated checks against the
   * same base fast.
   */
  before: FileTree
  /** The tree after the change. Differs from `before` only in `changedPaths`. */
  after: FileTree
  /** Every added, changed, deleted or moved path; for moves, the old and the new one. */
  changedPaths: readonly string[]
  /** New path → old path of moved files, so that their existing faults do not count as new. */
  renamed?: ReadonlyMap<string, string>
  limits?: ChangeLimits
  /** See `findAddedSecrets`. */
  allowedSecrets?: readonly string[] | undefined
}

/**
 * Finds the problems a change introduces: pages that no longer parse, broken links and anchors (including those on
 * unchanged pages that link to moved or removed ones), navigation entries without a page, invalid configuration and API
 * descriptions, tool residue, conflict markers, secrets, invisible characters and excessive size.
 * Existing faults are ignored.
 *
 * Runs none of the site's code. CPU-bound: about 25 ms per changed page, plus a few hundred the first time for a site
 * of a thousand pages. Call it in a worker.
 *
 * @returns Blocking problems first, then by path and line.
 * @throws The signal's reason when aborted.
 */
export async function checkChange(input: CheckChangeInput, signal: AbortSignal): Promise<Problem[]> {
  const { before, after, renamed = new Map<string, string>(), limits = {}, allowedSecrets } = input
  const files = await readChangedFiles({ before, after, changedPaths: input.changedPaths }, signal)
  const site = await checkSite({ before, after, files, renamed }, signal)
  const added = findAddedFaults({
    before: [...(await checkFiles(files, 'before', signal)), ...site.before],
    after: [...(await checkFiles(files, 'after', signal)), ...site.after],
    renamed,
  })
  const ofChange = findAddedFaults({
    before: [],
    after: [...checkChangeSize(files, limits), ...(await findAddedSecrets({ before, files, allowedSecrets }, signal))],
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

/** A file that does not parse is reported twice: by its own check and by reading the site. */
function keepOnePerFile(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ rule, path }) => {
    if (rule !== 'config-unparsable') return true
    const isFirst = !seen.has(path)
    seen.add(path)
    return isFirst
  })
}

/** Blocking problems first, then by path and line. */
function compareProblems(a: Problem, b: Problem): number {
  if (a.severity !== b.severity) return a.severity === 'block' ? -1 : 1
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

/** Finds changes that are too large to review. */
function checkChangeSize(files: readonly ChangedFile[], limits: ChangeLimits): Fault[] {
  const { filesMax = changeMax.files, fileBytesMax = changeMax.fileBytes, bytesMax = changeMax.bytes } = limits
  const fault = (path: string, message: string): Fault => {
    return makeFault({ rule: 'change-too-large', path, line: null, message, detail: '' })
  }
  const faults = files
    .filter(({ bytesAfter }) => bytesAfter > fileBytesMax)
    .map(({ path, bytesAfter }) =>
      fault(path, `The file is ${bytesAfter} bytes; the limit is ${fileBytesMax}. Split it.`),
    )
  const [first] = files
  if (first === undefined) return faults
  if (files.length > filesMax) {
    faults.push(fault(first.path, `The change touches ${files.length} files, but the limit is ${filesMax}. Split it.`))
  }
  const bytes = files.reduce((sum, { bytesAfter }) => sum + bytesAfter, 0)
  if (bytes > bytesMax) {
    faults.push(
      fault(first.path, `The changed files total ${bytes} bytes; the limit is ${bytesMax}. Split the change.`),
    )
  }
  return faults
}
