import { readBodyStart } from '../../base/body-start.ts'
import { assignPatches, parseChangedFiles } from './diff-output.ts'
import { checkObjectId } from '../object-id.ts'
import { resolveObject } from '../resolve-commit.ts'
import { runGit, runGitStrictly, startGit } from '../run-git.ts'

export interface DiffCommitsInput {
  gitDirectory: string
  /** Full ids of commits or trees. For the changes of a branch, pass its merge base as `from`: see `findMergeBase`. */
  from: string
  to: string
  /** Most bytes of all patches together, default 512 KiB, 0 for none; files beyond it get no patch. */
  patchBytesMax?: number
  /** Most files returned, default 1,000. */
  filesMax?: number
  /** Whether lines that differ only in white space count as equal. */
  ignoresWhitespace?: boolean
}

export interface FileDiff {
  path: string
  /** The former path if renamed, else null. */
  previousPath: string | null
  kind: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Full id of its content after the change; of a deleted file, before it. */
  blob: string
  /** In lines; 0 for binary files. */
  additions: number
  deletions: number
  isBinary: boolean
  /** Set if the change turned it into something other than a regular file. A link's text is its target. */
  becomes?: 'link' | 'submodule' | 'executable'
  /**
   * Unified diff from the first `@@` on, verbatim: untrusted, escape it for display. Null for binary files, for pure
   * renames and mode changes, and beyond the limit.
   */
  patch: string | null
}

export interface CommitDiff {
  /** Ordered by path; at most `filesMax`. */
  files: FileDiff[]
  /** Total number, including those beyond `filesMax`. */
  filesTotal: number
}

/** A commit as shown in a list. */
export interface CommitSummary {
  /** Full id. */
  id: string
  /** Full ids. */
  parents: string[]
  authorName: string
  authorEmail: string
  /** Milliseconds. */
  authoredAt: number
  /** First line of the message. */
  title: string
  /** The whole message, trailers included. */
  message: string
}

const patchTimeoutMs = 30_000
const diffFlags = ['-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none']

/**
 * The differences between two commits, with renames detected. Runs no program named by the repository.
 *
 * @throws {Error} if one of the ids is not in the repository.
 */
export async function diffCommits(input: DiffCommitsInput, signal: AbortSignal): Promise<CommitDiff> {
  const { gitDirectory, from, to, patchBytesMax = 512 * 1024, filesMax = 1000, ignoresWhitespace = false } = input
  const forms = ['--raw', '--numstat', '-z', ...(ignoresWhitespace ? ['-w'] : [])]
  const args = ['diff-tree', ...diffFlags, ...forms, checkObjectId(from), checkObjectId(to)]
  const changed = parseChangedFiles(await runGitStrictly({ gitDirectory, args, signal }))
  const isAnyText = changed.some(({ isBinary, additions, deletions }) => !isBinary && additions + deletions > 0)
  const read =
    isAnyText && patchBytesMax > 0
      ? await readPatch({ gitDirectory, from, to, patchBytesMax, ignoresWhitespace }, signal)
      : { patch: '', isWhole: true }
  const patches = assignPatches(changed, read)
  const files = changed
    .slice(0, filesMax)
    .map(({ isTypeChange: _isTypeChange, ...file }, index) => ({ ...file, patch: patches[index] ?? null }))
  return { files, filesTotal: changed.length }
}

async function readPatch(
  { gitDirectory, from, to, patchBytesMax, ignoresWhitespace }: Required<Omit<DiffCommitsInput, 'filesMax'>>,
  outer: AbortSignal,
): Promise<{ patch: string; isWhole: boolean }> {
  const args = ['diff-tree', '-p', ...diffFlags, '--full-index', ...(ignoresWhitespace ? ['-w'] : []), from, to]
  const git = startGit({ gitDirectory, args, signal: AbortSignal.any([outer, AbortSignal.timeout(patchTimeoutMs)]) })
  git.stdin.end()
  const { bytes, isWhole } = await readBodyStart(git.stdout, patchBytesMax)
  if (!isWhole) git.stop()
  await git.ended
  return { patch: bytes.toString('utf8'), isWhole }
}

/** The nearest common ancestor of two commits; null if they share no history. */
export async function findMergeBase(
  { gitDirectory, ours, theirs }: { gitDirectory: string; ours: string; theirs: string },
  signal: AbortSignal,
): Promise<string | null> {
  const args = ['merge-base', checkObjectId(ours), checkObjectId(theirs)]
  // The usual case of a pull request: its one commit follows its base. Asking for a parent starts no process.
  if ((await resolveObject(gitDirectory, `${theirs}^`, signal)) === ours) return ours
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal })
  if (exitCode === 0) return stdout.toString('utf8').trim().split('\n')[0] ?? null
  if (exitCode === 1) return null
  throw new Error(`git merge-base exited with ${exitCode}: ${stderr.trim()}`)
}

/**
 * Ancestors of `to` including itself, newest first.
 *
 * @param input.from Full id of a commit whose history is excluded; null to exclude none.
 * @param input.subdirectory Only commits that change something in this folder; empty for all.
 * @param input.limit Most commits, default 100.
 */
export async function listCommits(
  input: { gitDirectory: string; from: string | null; to: string; subdirectory?: string; limit?: number },
  signal: AbortSignal,
): Promise<CommitSummary[]> {
  const { gitDirectory, from, to, subdirectory = '', limit = 100 } = input
  const format = '--format=%H%x00%P%x00%an%x00%ae%x00%at%x00%B%x00'
  const range = from === null ? [checkObjectId(to)] : [checkObjectId(to), `^${checkObjectId(from)}`]
  const paths = subdirectory === '' ? [] : ['--', `:(top,literal)${subdirectory}`]
  const flags = ['--no-commit-header', `--max-count=${limit}`, '--encoding=UTF-8', format]
  const args = ['rev-list', ...flags, ...range, ...paths]
  const output = await runGitStrictly({ gitDirectory, args, signal })
  const fields = output.toString('utf8').split('\0')
  const commits: CommitSummary[] = []
  for (let start = 0; start + 6 < fields.length; start += 6) {
    const [id = '', parents = '', authorName = '', authorEmail = '', at = '', text = ''] = fields.slice(
      start,
      start + 6,
    )
    const message = text.trim()
    commits.push({
      id: id.trim(),
      parents: parents.split(' ').filter(Boolean),
      authorName,
      authorEmail,
      authoredAt: Number(at) * 1000,
      title: message.split('\n')[0] ?? '',
      message,
    })
  }
  return commits
}
