import { type ChangedEntry, listChangedEntries } from '../../git/commits/changed-entries.ts'
import { listCommits } from '../../git/commits/diff-commits.ts'
import { type GitObjectReader, openGitObjectReader } from '../../git/trees/git-object-reader.ts'
import { resolveObject } from '../../git/resolve-commit.ts'
import { refusal } from '../../contract/app-error.ts'
import { type PushBranchInput, type PushOutcome, UnpushableMergeError } from '../code-host.ts'
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { GithubApi } from './github-api.ts'
import { anySchema, commitSchema, objectSchema, refSchema } from './github-replies.ts'

export interface PushByApiInput extends PushBranchInput {
  /** The repository on this machine that contains the commit. */
  gitDirectory: string
}

interface LocalCommit {
  id: string
  tree: string
  /** Empty for a root commit. */
  parents: readonly string[]
  message: string
}

const commitsMax = 200
const blobBytesMax = 32 * 1024 * 1024
/** Files up to this size each, and in total, are inlined in the request that creates the tree. */
const inlineBytesMax = 128 * 1024
const inlineBytesTotalMax = 4 * 1024 * 1024

/**
 * Recreates the commits of a branch through GitHub's API, with the same files and messages on the same base, and moves
 * the branch to the last one. GitHub credits them to the credential's account, and signs those of Apps.
 *
 * Compare-and-set, although GitHub itself only ensures that a branch moves forward: an unexpected tip is left alone
 * unless it is the same change, pushed by an earlier call whose result was lost.
 *
 * @throws {ForgeError}
 * @throws {AppError} `invalid_request` for merges, and for more than 200 commits.
 */
export async function pushByApi(api: GithubApi, input: PushByApiInput, signal: AbortSignal): Promise<PushOutcome> {
  const { branch, expected } = input
  const before = await readTip(api, branch, signal)
  if (before !== expected) return classifyTip(api, input, before, signal)
  const commit = await copyCommits(api, input, signal)
  if (commit === expected) return { outcome: 'pushed', commit }
  try {
    await moveBranch(api, { branch, commit, isNew: expected === null }, signal)
    return { outcome: 'pushed', commit }
  } catch (error) {
    if (!hasReason(error, 'invalid', 'conflict')) throw error
    const now = await readTip(api, branch, signal)
    // If the reply to a first attempt was lost, the retry finds the branch moved.
    if (now === commit) return { outcome: 'pushed', commit }
    if (now === expected) throw error
    return classifyTip(api, input, now, signal)
  }
}

/** Classifies an unexpected branch tip: the same change, or somebody else's. */
export async function classifyTip(
  api: GithubApi,
  input: PushByApiInput,
  tip: string | null,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const isSame = tip !== null && (await isSameChange(api, { ...input, tip }, signal))
  return isSame ? { outcome: 'pushed', commit: tip } : { outcome: 'moved', commit: tip }
}

async function readTip(api: GithubApi, branch: string, signal: AbortSignal): Promise<string | null> {
  const parameters = { ref: `heads/${branch}` }
  const call = { route: 'GET /repos/{owner}/{repo}/git/ref/{ref}', parameters, reply: refSchema } as const
  return (await api.find(call, signal))?.object.sha ?? null
}

async function moveBranch(
  api: GithubApi,
  { branch, commit, isNew }: { branch: string; commit: string; isNew: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (isNew) {
    const parameters = { ref: `refs/heads/${branch}`, sha: commit }
    await api.call({ route: 'POST /repos/{owner}/{repo}/git/refs', parameters, reply: anySchema }, signal)
    return
  }
  const parameters = { ref: `heads/${branch}`, sha: commit, force: false }
  await api.call({ route: 'PATCH /repos/{owner}/{repo}/git/refs/{ref}', parameters, reply: anySchema }, signal)
}

/** Whether a branch on GitHub has the same files and messages as a local commit, commit by commit. */
async function isSameChange(
  api: GithubApi,
  { gitDirectory, commit, tip }: PushByApiInput & { tip: string },
  signal: AbortSignal,
): Promise<boolean> {
  let [theirs, ours] = [tip, commit]
  for (let depth = 0; depth < commitsMax; depth++) {
    if (theirs === ours) return true
    const remote = await findCommit(api, theirs, signal)
    const local = await readCommit(gitDirectory, ours, signal)
    const isSame = remote?.tree.sha === local.tree && remote.message.trim() === local.message.trim()
    const parents = remote?.parents.map(({ sha }) => sha) ?? []
    if (!isSame || parents.length !== local.parents.length || parents.length > 1) return false
    const [theirParent, ourParent] = [parents[0], local.parents[0]]
    // Both are root commits, so no ancestors can differ.
    if (theirParent === undefined || ourParent === undefined) return true
    ;[theirs, ours] = [theirParent, ourParent]
  }
  return false
}

function findCommit(api: GithubApi, id: string, signal: AbortSignal) {
  const parameters = { commit_sha: id }
  const call = { route: 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}', parameters, reply: commitSchema } as const
  return api.find(call, signal)
}

async function readCommit(gitDirectory: string, id: string, signal: AbortSignal): Promise<LocalCommit> {
  const [found] = await listCommits({ gitDirectory, from: null, to: id, limit: 1 }, signal)
  if (found === undefined) throw new Error(`The commit ${id} is not on this machine.`)
  return { id, tree: await requireTree(gitDirectory, id, signal), parents: found.parents, message: found.message }
}

/** @returns GitHub's id of the last commit. */
async function copyCommits(api: GithubApi, input: PushByApiInput, signal: AbortSignal): Promise<string> {
  const { gitDirectory, commit, expected } = input
  const missing: LocalCommit[] = []
  let id: string | null = commit
  // GitHub has the branch's base, so the walk ends before the history that this machine lacks.
  while (id !== null && id !== expected && (await findCommit(api, id, signal)) === null) {
    if (missing.length === commitsMax) throw refusal(`The branch has more than ${commitsMax} new commits.`)
    const local: LocalCommit = await readCommit(gitDirectory, id, signal)
    if (local.parents.length > 1) throw new UnpushableMergeError('GitHub')
    missing.push(local)
    id = local.parents[0] ?? null
  }
  const objects = openGitObjectReader({ gitDirectory, blobBytesMax }, signal)
  try {
    let parent = id
    let parentTree = id === null ? null : await requireTree(gitDirectory, id, signal)
    for (const local of missing.toReversed()) {
      parent = await copyCommit(api, { local, parent, parentTree, gitDirectory, objects }, signal)
      parentTree = local.tree
    }
    return parent ?? commit
  } finally {
    objects.close()
  }
}

async function requireTree(gitDirectory: string, commit: string, signal: AbortSignal): Promise<string> {
  const tree = await resolveObject(gitDirectory, `${commit}^{tree}`, signal)
  if (tree === null) throw new Error(`The commit ${commit} is not on this machine.`)
  return tree
}

interface CopyCommitInput {
  local: LocalCommit
  /** GitHub's id of the parent. */
  parent: string | null
  parentTree: string | null
  gitDirectory: string
  objects: GitObjectReader
}

async function copyCommit(
  api: GithubApi,
  { local, parent, parentTree, gitDirectory, objects }: CopyCommitInput,
  signal: AbortSignal,
): Promise<string> {
  const entries = await listChangedEntries({ gitDirectory, from: parentTree, to: local.tree }, signal)
  const tree = entries.length === 0 ? local.tree : await copyTree(api, { entries, parentTree, objects }, signal)
  if (tree !== local.tree) {
    throw new ForgeError('invalid', `GitHub created a different tree (${tree}) from the one sent. Try again.`)
  }
  const { message } = local
  // No author or date: GitHub signs only commits whose metadata it fills in itself.
  const parameters = { message, tree, parents: parent === null ? [] : [parent] }
  const call = { route: 'POST /repos/{owner}/{repo}/git/commits', parameters, reply: objectSchema } as const
  return (await api.call(call, signal)).sha
}

async function copyTree(
  api: GithubApi,
  { entries, parentTree, objects }: Pick<CopyCommitInput, 'parentTree' | 'objects'> & { entries: ChangedEntry[] },
  signal: AbortSignal,
): Promise<string> {
  let inlineBytesLeft = inlineBytesTotalMax
  const tree: Record<string, unknown>[] = []
  for (const { path, mode, id } of entries) {
    if (mode === null || id === null) {
      tree.push({ path, mode: '100644', type: 'blob', sha: null })
      continue
    }
    if (mode === '160000') {
      tree.push({ path, mode, type: 'commit', sha: id })
      continue
    }
    const bytes = Buffer.from(await objects.readBlob(id))
    const isInline = bytes.length <= Math.min(inlineBytesMax, inlineBytesLeft) && isText(bytes)
    if (isInline) inlineBytesLeft -= bytes.length
    const content = isInline ? { content: bytes.toString('utf8') } : { sha: await copyBlob(api, bytes, signal) }
    tree.push({ path, mode, type: 'blob', ...content })
  }
  const parameters = { ...(parentTree === null ? {} : { base_tree: parentTree }), tree }
  const call = { route: 'POST /repos/{owner}/{repo}/git/trees', parameters, reply: objectSchema } as const
  return (await api.call(call, signal)).sha
}

async function copyBlob(api: GithubApi, bytes: Buffer, signal: AbortSignal): Promise<string> {
  const parameters = { content: bytes.toString('base64'), encoding: 'base64' }
  const call = { route: 'POST /repos/{owner}/{repo}/git/blobs', parameters, reply: objectSchema } as const
  return (await api.call(call, signal)).sha
}

/** Whether the bytes survive a round trip through text. */
function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)
}
