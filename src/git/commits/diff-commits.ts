import { readBodyStart } from '../../base/body-start.ts'
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

const kinds: Readonly<Record<string, FileDiff['kind']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

/** By the mode that git prints. */
const specialModes: Readonly<Record<string, NonNullable<FileDiff['becomes']>>> = {
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
}

/** A changed file without its patch. */
interface ChangedFile extends Omit<FileDiff, 'patch'> {
  /** Whether the file type changed (file, link, submodule): git writes such a patch as a deletion and an addition. */
  isTypeChange: boolean
}

/**
 * Parses the output of `git diff-tree -z --raw --numstat`: all files in raw form, then all in numstat form, in the same
 * order.
 *
 * Raw: `:<mode> <mode> <id> <id> <status>`, NUL, the path, NUL, and for renames also the new path and NUL. Numstat:
 * `<additions>\t<deletions>\t<path>` and NUL; for renames the path is empty and both paths follow. Numstat and the patch
 * leave files out that differ only in white space, if that is ignored, and so does the result.
 */
function parseChangedFiles(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0')
  const files: Omit<ChangedFile, keyof LineCounts>[] = []
  let index = 0
  while (fields[index]?.startsWith(':') === true) {
    const status = fields[index]?.split(' ').at(-1)?.charAt(0) ?? 'M'
    const hasTwoPaths = status === 'R' || status === 'C'
    const path = fields[index + (hasTwoPaths ? 2 : 1)] ?? ''
    const previousPath = status === 'R' ? (fields[index + 1] ?? null) : null
    const kind = kinds[status] ?? 'modified'
    files.push({ path, previousPath, kind, isTypeChange: status === 'T', ...readHead(fields[index], kind) })
    index += hasTwoPaths ? 3 : 2
  }
  const counts = parseCounts(fields.slice(index))
  return files.flatMap((file) => {
    const lines = counts.get(file.path)
    return lines === undefined ? [] : [{ ...file, ...lines }]
  })
}

/** @param head `:<mode before> <mode after> <id before> <id after> …` */
function readHead(head = '', kind: FileDiff['kind']): Pick<FileDiff, 'becomes' | 'blob'> {
  const [before = '', after = '', idBefore = '', idAfter = ''] = head.slice(1).split(' ')
  const becomes = before === after ? undefined : specialModes[after]
  return { blob: kind === 'deleted' ? idBefore : idAfter, ...(becomes === undefined ? {} : { becomes }) }
}

type LineCounts = Pick<FileDiff, 'additions' | 'deletions' | 'isBinary'>

/** By path. */
function parseCounts(fields: readonly string[]): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>()
  for (let index = 0; index < fields.length && fields[index] !== ''; index += 1) {
    const [additions = '', deletions = '', path = ''] = (fields[index] ?? '').split('\t')
    // Binary files have hyphens instead of numbers.
    const isBinary = additions === '-'
    const lines = { additions: isBinary ? 0 : Number(additions), deletions: isBinary ? 0 : Number(deletions), isBinary }
    counts.set(path || (fields[index + 2] ?? ''), lines)
    if (path === '') index += 2
  }
  return counts
}

/**
 * Splits a patch into its parts: one per file, two if the type changes. Every line of content begins with a space, `+`,
 * `-`, `\` or `@`, so content cannot be mistaken for a file header. Only line feeds end lines: the flag `m` would also
 * match after a carriage return or U+2028, both of which may occur in content.
 *
 * @returns The text of each part from its first `@@` on, or null if it has none.
 */
function splitPatch(patch: string): (string | null)[] {
  const parts = patch.split(/(?<![^\n])diff --git /).slice(1)
  return parts.map((part) => {
    const start = part.indexOf('\n@@ ')
    return start === -1 ? null : part.slice(start + 1)
  })
}

/**
 * Assigns each file its part of a patch.
 *
 * @param files All changed files, in the order of the patch.
 * @param isWhole False if the patch was cut: the truncated part and all later ones are missing.
 * @returns The text of each file from the first `@@` on, or null if there is none.
 */
function assignPatches(
  files: readonly Pick<ChangedFile, 'isTypeChange'>[],
  { patch, isWhole }: { patch: string; isWhole: boolean },
): (string | null)[] {
  const parts = isWhole ? splitPatch(patch) : splitPatch(patch).slice(0, -1)
  let next = 0
  return files.map(({ isTypeChange }) => {
    const own = parts.slice(next, next + (isTypeChange ? 2 : 1))
    next += isTypeChange ? 2 : 1
    if (isTypeChange && own.length < 2) return null
    return own.filter((part) => part !== null).join('') || null
  })
}
