import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../contract/app-error.ts'
import { findGitDirectory } from '../trees/commit-tree.ts'
import type { SkippedEntry } from '../trees/tree-listing.ts'
import { withFolderLock } from '../folder-lock.ts'
import type { OverlayFile } from '../overlay/overlay.ts'
import { checkBranchName, deleteRef, readRef, updateRef } from './refs.ts'
import { checkRepositoryPath } from '../repository-path.ts'
import { resolveCommit } from '../resolve-commit.ts'
import { type CommitSignature, runGitStrictly, startGit } from '../run-git.ts'
import { writeCommit } from '../commits/write-commit.ts'
import { writeTree } from '../overlay/write-tree.ts'

/** Files to begin a repository with: a folder as it was listed, or a commit. */
export interface ImportedFiles {
  readonly paths: readonly string[]
  read(path: string): Promise<Uint8Array>
}

export interface ImportFolderInput {
  gitDirectory: string
  files: ImportedFiles
  /** Without `refs/heads/`. */
  branch: string
  author: CommitSignature
  message: string
  /** An existing folder, absolute, outside of every repository. */
  scratchFolder: string
}

export interface ImportOutcome {
  /** Full id of the commit that the branch names now. */
  commit: string
  /** What was left out, each with a sentence. */
  skipped: SkippedEntry[]
}

export interface ImportRepositoryInput {
  gitDirectory: string
  /** Absolute path of a folder with a checked-out or bare repository. */
  from: string
  /** A branch, a tag or a commit of it; null for its current branch. */
  ref: string | null
  /** The branch that is made, without `refs/heads/`. */
  branch: string
}

const batchBytesMax = 32 * 1024 * 1024
const batchFilesMax = 2000
const importTimeoutMs = 10 * 60_000
const packBytesMax = 4 * 1024 ** 3

/**
 * Makes an empty bare repository with the current branch `main`. One that is there already stays as it is, and what it
 * lacks of its frame is made anew.
 *
 * Without `git init`, because it is a few small files, whose form does not depend on the release of git then: names and
 * ids as all releases read them.
 *
 * @param folder Absolute path; made when missing.
 */
export async function createBareRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    await mkdir(join(folder, part), { recursive: true })
  }
  await writeUnlessFilled(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  // Last, because it makes the folder a repository.
  await writeUnlessFilled(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
}

/** Whole or not at all; an empty file is what a machine leaves that has stopped. */
async function writeUnlessFilled(file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found !== null && found.size > 0) return
  const staged = `${file}.${randomUUID()}.new`
  await writeFile(staged, text, { mode: 0o600 })
  await rename(staged, file)
}

/**
 * Makes the first commit of a branch from files, without their history.
 *
 * May be repeated: a branch that is there already is left as it is and its commit is returned.
 *
 * @throws {AppError} `invalid_request` for a bad name of the branch, or when no file can be taken.
 */
export async function importFolder(input: ImportFolderInput, signal: AbortSignal): Promise<ImportOutcome> {
  const { gitDirectory, author, message } = input
  const ref = `refs/heads/${checkBranchName(input.branch)}`
  const known = await readRef({ gitDirectory, ref }, signal)
  if (known !== null) return { commit: known, skipped: [] }
  const { tree, skipped } = await writeFiles(input, signal)
  if (tree === null) {
    throw new AppError(
      'invalid_request',
      'There is no file to begin the repository with. Name a folder that holds the documentation.',
    )
  }
  const commit = await writeCommit({ gitDirectory, tree, parents: [], author, message }, signal)
  if (await updateRef({ gitDirectory, ref, to: commit, expected: null }, signal)) return { commit, skipped }
  return { commit: (await readRef({ gitDirectory, ref }, signal)) ?? commit, skipped: [] }
}

/** In batches, so that a large folder is not held in memory as a whole. */
async function writeFiles({ gitDirectory, files, scratchFolder }: ImportFolderInput, signal: AbortSignal) {
  const skipped: SkippedEntry[] = []
  let tree: string | null = null
  let batch = new Map<string, OverlayFile>()
  let bytes = 0
  const flush = async () => {
    if (batch.size > 0) tree = await writeTree({ gitDirectory, base: tree, files: batch, scratchFolder }, signal)
    batch = new Map()
    bytes = 0
  }
  for (const path of files.paths) {
    const fault = findFault(path)
    if (fault !== null) {
      skipped.push({ path, reason: fault })
      continue
    }
    const content = await files.read(path)
    batch.set(path, { bytes: content, isExecutable: false })
    bytes += content.length
    if (bytes > batchBytesMax || batch.size >= batchFilesMax) await flush()
  }
  await flush()
  return { tree: tree as string | null, skipped }
}

function findFault(path: string): string | null {
  try {
    return checkRepositoryPath(path) === path ? null : 'Its path is not written plainly.'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/**
 * Copies a commit with its history from another repository on this machine, and makes a branch of it. Uses no transport
 * of git: one process packs what the commit needs, another checks and stores it, so that nothing that the other
 * repository's configuration names is run.
 *
 * May be repeated: a branch that is there already is left as it is and its commit is returned. A shallow repository
 * gives the history that it has.
 *
 * @throws {AppError} `invalid_request` when there is no such repository or ref, or it lacks objects.
 */
export async function importRepository(input: ImportRepositoryInput, signal: AbortSignal): Promise<ImportOutcome> {
  const { gitDirectory } = input
  const ref = `refs/heads/${checkBranchName(input.branch)}`
  const known = await readRef({ gitDirectory, ref }, signal)
  if (known !== null) return { commit: known, skipped: [] }
  const from = await findGitDirectory(input.from)
  const commit = await resolveCommit({ gitDirectory: from, ref: input.ref }, signal)
  await copyShallowMarks(from, gitDirectory)
  await copyObjects({ from, gitDirectory, commit }, signal)
  await updateRef({ gitDirectory, ref, to: commit, expected: null }, signal)
  return { commit: (await readRef({ gitDirectory, ref }, signal)) ?? commit, skipped: [] }
}

/** Names the commits at which a shallow history ends, without which it would look damaged. */
async function copyShallowMarks(from: string, gitDirectory: string): Promise<void> {
  const marks = await readFile(join(from, 'shallow'), 'utf8').catch(() => null)
  if (marks !== null) await writeFile(join(gitDirectory, 'shallow'), marks, { mode: 0o600 })
}

async function copyObjects(
  { from, gitDirectory, commit }: { from: string; gitDirectory: string; commit: string },
  outer: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(importTimeoutMs)])
  const pack = startGit({
    gitDirectory: from,
    args: ['pack-objects', '--revs', '--stdout', '--delta-base-offset', '--quiet'],
    signal,
  })
  const index = startGit({
    gitDirectory,
    args: ['index-pack', '--stdin', '--strict', `--max-input-size=${packBytesMax}`],
    signal,
  })
  index.stdout.resume()
  pack.stdin.end(`${commit}\n`)
  const copying = pipeline(pack.stdout, index.stdin).catch(() => undefined)
  const [packed, indexed] = await Promise.all([pack.ended, index.ended, copying])
  if (packed.exitCode !== 0) {
    throw new AppError(
      'invalid_request',
      'The repository lacks objects of its own history. Clone it anew as a whole, and import that.',
      { cause: packed.stderr },
    )
  }
  if (indexed.exitCode === 0) return
  throw new AppError('invalid_request', `The repository cannot be imported: ${firstFault(indexed.stderr)}.`)
}

function firstFault(stderr: string): string {
  const line = stderr.split('\n').find((text) => /^(?:fatal|error):/.test(text)) ?? 'git gave no reason'
  return line.slice(0, 300)
}

/**
 * Keeps a commit that no branch names yet, such as that of a running job, until `unpinCommit`.
 *
 * @param input.id The id of the job; letters, digits, `-` and `_`.
 */
export async function pinCommit(
  input: { gitDirectory: string; id: string; commit: string },
  signal: AbortSignal,
): Promise<void> {
  const { gitDirectory, commit } = input
  const ref = pinOf(input.id)
  const known = await readRef({ gitDirectory, ref }, signal)
  if (known !== commit) await updateRef({ gitDirectory, ref, to: commit, expected: known }, signal)
}

/** Idempotent. */
export async function unpinCommit(input: { gitDirectory: string; id: string }, signal: AbortSignal): Promise<void> {
  const { gitDirectory } = input
  const ref = pinOf(input.id)
  const known = await readRef({ gitDirectory, ref }, signal)
  if (known !== null) await deleteRef({ gitDirectory, ref, expected: known }, signal)
}

/** Refs under which commits are pinned; hidden from who fetches. */
export const pinnedRefsPrefix = 'refs/jobs/'

function pinOf(id: string): string {
  if (/^[\w-]{1,100}$/.test(id)) return `${pinnedRefsPrefix}${id}`
  throw new Error(`"${id}" cannot name a pinned commit.`)
}

const looseObjectsMax = 5000
const packsMax = 40

/**
 * Packs a repository anew once it has become untidy, and drops what no ref names since two weeks, so that objects which a
 * running job has just written stay. Of several that tidy one repository, one does.
 *
 * @returns Whether it was needed.
 */
export async function tidyRepository(gitDirectory: string, signal: AbortSignal): Promise<boolean> {
  return withFolderLock({ file: `${gitDirectory}.lock`, signal }, async () => {
    const counted = await runGitStrictly({ gitDirectory, args: ['count-objects', '-v'], signal })
    const numberOf = (name: string) =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counted.toString('utf8'))?.[1] ?? 0)
    if (numberOf('count') <= looseObjectsMax && numberOf('packs') <= packsMax) return false
    const args = ['gc', '--quiet', '--prune=2.weeks.ago']
    await runGitStrictly({ gitDirectory, args, signal, hasHelpers: true }, { timeoutMs: importTimeoutMs })
    return true
  })
}

/** Bytes that a repository takes on the disk; its files are few, because it is packed. */
export async function measureRepository(gitDirectory: string, signal: AbortSignal): Promise<number> {
  await stat(gitDirectory)
  const counted = (await runGitStrictly({ gitDirectory, args: ['count-objects', '-v'], signal })).toString('utf8')
  const sizes = [...counted.matchAll(/^(?:size|size-pack): (\d+)$/gm)].map(([, kibibytes]) => Number(kibibytes))
  return sizes.reduce((sum, size) => sum + size, 0) * 1024
}
