import { type ChangedEntry, listChangedEntries } from '../../git/commits/changed-entries.ts'
import { type CommitSummary, listCommits } from '../../git/commits/diff-commits.ts'
import { type GitObjectReader, openGitObjectReader } from '../../git/trees/git-object-reader.ts'
import { resolveObject } from '../../git/resolve-commit.ts'
import { refusal } from '../../contract/app-error.ts'
import { type PushBranchInput, type PushOutcome, UnpushableMergeError } from '../code-host.ts'
import { hasReason } from './forge-error.ts'

/** One file of a commit to be created through a forge's API. */
export interface CommittedFile {
  path: string
  operation: 'create' | 'update' | 'delete'
  /** Base64; null for a deletion. */
  content: string | null
  /** Full id of the blob it replaces; null for a new file. */
  formerId: string | null
}

/** A commit as returned by a forge. */
export interface ForgeCommit {
  id: string
  parents: string[]
  message: string
  /** Null if the forge does not provide it. */
  tree: string | null
}

/** Creates commits of files through a forge's API. */
export interface ForgeCommitter {
  findTip(branch: string, signal: AbortSignal): Promise<string | null>
  findCommit(id: string, signal: AbortSignal): Promise<ForgeCommit | null>
  /**
   * Adds one commit to a branch.
   *
   * @param input.parent The branch's tip; the start point if it is new.
   */
  commit(
    input: { branch: string; isNew: boolean; parent: string; message: string; files: readonly CommittedFile[] },
    signal: AbortSignal,
  ): Promise<Pick<ForgeCommit, 'id' | 'parents'>>
}

export interface PushFilesInput extends PushBranchInput {
  /** The repository on this machine that contains the commit. */
  gitDirectory: string
}

const commitsMax = 50
const blobBytesMax = 32 * 1024 * 1024

/**
 * Recreates the commits of a branch through a forge's API where git cannot push: the same files and messages on the
 * same base, authored by the token's account.
 *
 * The API has no compare-and-set of a branch, so the branch is checked before, and each commit's parent after. A commit
 * that somebody else made in between is kept and reported as a moved branch.
 *
 * @throws {ForgeError}
 * @throws {AppError} `invalid_request` for merges, more than 50 commits, and files that are not regular.
 */
export async function pushFiles(
  committer: ForgeCommitter,
  input: PushFilesInput,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { branch, expected, commit } = input
  const tip = await committer.findTip(branch, signal)
  if (tip === commit) return { outcome: 'pushed', commit }
  const { missing, root } = await findMissing(committer, input, signal)
  // A new branch may already exist at its start point from an interrupted attempt.
  const isExpected = tip === expected || (expected === null && tip === root)
  if (!isExpected) {
    const isSame = tip !== null && (await isSameChange(committer, { ...input, missing, root, tip }, signal))
    return isSame ? { outcome: 'pushed', commit: tip } : { outcome: 'moved', commit: tip }
  }
  const { gitDirectory } = input
  const objects = openGitObjectReader({ gitDirectory, blobBytesMax }, signal)
  try {
    return await copyCommits(committer, { ...input, missing, root, tip, objects }, signal)
  } finally {
    objects.close()
  }
}

interface MissingCommits {
  /** Oldest first. */
  missing: CommitSummary[]
  /** The newest commit of the branch that the forge has. */
  root: string
}

async function findMissing(
  committer: ForgeCommitter,
  { gitDirectory, commit, expected }: PushFilesInput,
  signal: AbortSignal,
): Promise<MissingCommits> {
  const missing: CommitSummary[] = []
  let id = commit
  while (id !== expected && (await committer.findCommit(id, signal)) === null) {
    const [local] = await listCommits({ gitDirectory, from: null, to: id, limit: 1 }, signal)
    const [parent, ...others] = local?.parents ?? []
    if (others.length > 0) throw new UnpushableMergeError('this code host')
    if (local === undefined || parent === undefined) {
      throw refusal(
        'The branch shares no history with its base, so that only git can push it. Let the token push through git.',
      )
    }
    if (missing.length === commitsMax) throw refusal(`The branch has more than ${commitsMax} new commits.`)
    missing.unshift(local)
    id = parent
  }
  return { missing, root: id }
}

/** Whether the branch already contains the change, from an earlier call whose result was lost. */
async function isSameChange(
  committer: ForgeCommitter,
  { gitDirectory, missing, root, tip }: PushFilesInput & MissingCommits & { tip: string },
  signal: AbortSignal,
): Promise<boolean> {
  let theirs = tip
  for (const ours of missing.toReversed()) {
    const remote = await committer.findCommit(theirs, signal)
    const [parent, ...others] = remote?.parents ?? []
    if (remote === null || parent === undefined || others.length > 0) return false
    if (remote.message.trim() !== ours.message.trim()) return false
    const tree = remote.tree === null ? null : await resolveObject(gitDirectory, `${ours.id}^{tree}`, signal)
    if (remote.tree !== tree) return false
    theirs = parent
  }
  return missing.length > 0 && theirs === root
}

async function copyCommits(
  committer: ForgeCommitter,
  input: PushFilesInput & MissingCommits & { tip: string | null; objects: GitObjectReader },
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { branch, gitDirectory, missing, root, objects } = input
  let { tip } = input
  for (const local of missing) {
    const parent = tip ?? root
    const from = local.parents[0] ?? root
    const entries = await listChangedEntries({ gitDirectory, from, to: local.id }, signal)
    const before = await listChangedEntries({ gitDirectory, from: null, to: from }, signal)
    const known = new Map(before.map((entry) => [entry.path, entry]))
    const files = await Promise.all(entries.map((entry) => readFile(entry, known.get(entry.path), objects)))
    const change = { branch, isNew: tip === null, parent, message: local.message, files }
    try {
      const made = await committer.commit(change, signal)
      if (made.parents[0] !== parent) return { outcome: 'moved', commit: made.id }
      tip = made.id
    } catch (error) {
      // Somebody was faster: the forge rejects files whose previous version it was not told.
      const now = hasReason(error, 'conflict', 'invalid') ? await committer.findTip(branch, signal) : tip
      if (now === tip) throw error
      return { outcome: 'moved', commit: now }
    }
  }
  return { outcome: 'pushed', commit: tip ?? root }
}

/** @param former The path's previous entry. */
async function readFile(
  { path, mode, id }: ChangedEntry,
  former: ChangedEntry | undefined,
  objects: GitObjectReader,
): Promise<CommittedFile> {
  const formerId = former?.id ?? null
  if (mode === null || id === null) return { path, operation: 'delete', content: null, formerId }
  const isPlain = former === undefined ? mode === '100644' : mode === former.mode && mode.startsWith('100')
  if (!isPlain) {
    throw refusal(
      `The file ${path.slice(0, 200)} is not a regular file, which only git can push. Let the token push through git.`,
    )
  }
  const content = Buffer.from(await objects.readBlob(id)).toString('base64')
  return { path, operation: former === undefined ? 'create' : 'update', content, formerId }
}
