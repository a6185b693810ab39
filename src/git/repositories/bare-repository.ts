import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../contract/app-error.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { findGitDirectory } from '../trees/commit-tree.ts'
import type { SkippedEntry } from '../trees/tree-listing.ts'
import { withFolderLock } from '../folder-lock.ts'
import type { OverlayFile } from '../overlay/overlay.ts'
import { checkBranchName, readRef, updateRef } from './refs.ts'
import { forgetObjects } from '../repository-objects.ts'
import { checkRepositoryPath } from '../repository-path.ts'
import { resolveCommit } from '../resolve-commit.ts'
import { type CommitSignature, findReason, runGitStrictly, startGit } from '../run-git.ts'
import { writeCommit } from '../commits/write-commit.ts'
import { writeTree } from '../overlay/write-tree.ts'

/** Files for a new repository: a listed folder, or a commit. */
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
  /** An existing folder, absolute and outside any repository. */
  scratchFolder: string
}

export interface ImportOutcome {
  /** Full id of the branch's current commit. */
  commit: string
  /** Skipped files, each with a reason. */
  skipped: SkippedEntry[]
}

export interface ImportRepositoryInput {
  gitDirectory: string
  /** Absolute path of a checked-out or bare repository. */
  from: string
  /** A branch, tag or commit of it; null for its current branch. */
  ref: string | null
  /** The branch to create, without `refs/heads/`. */
  branch: string
}

const batchBytesMax = 32 * 1024 * 1024
const batchFilesMax = 2000
const importTimeoutMs = 10 * 60_000
const packBytesMax = 4 * 1024 ** 3

/**
 * Creates an empty bare repository whose current branch is `main`. An existing one is kept, and missing files of its
 * skeleton are recreated.
 *
 * Does not use `git init`: the skeleton is a few small files, and writing them makes its format independent of git's
 * version, with names and ids that all versions read.
 *
 * @param folder Absolute path; created if missing.
 */
export async function createBareRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    await mkdir(join(folder, part), { recursive: true })
  }
  await writeUnlessFilled(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  // Last, because this file makes the folder a repository.
  await writeUnlessFilled(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
}

/** Atomic; an empty file, as left by a machine crash, counts as missing. */
async function writeUnlessFilled(file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found !== null && found.size > 0) return
  await replaceFile(file, text)
}

/**
 * Creates the first commit of a branch from files, without their history.
 *
 * Idempotent: an existing branch is kept and its commit returned.
 *
 * @throws {AppError} `invalid_request` for an invalid branch name, or if no file can be imported.
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
      'There are no files to create the repository from. Name a folder that contains the documentation.',
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
    return checkRepositoryPath(path) === path ? null : 'Its path is not normalized.'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/**
 * Copies a commit with its history from another repository on this machine and creates a branch for it. Uses no git
 * transport: one process packs what the commit needs, another verifies and stores it, so that nothing named by the
 * other repository's configuration runs.
 *
 * Idempotent: an existing branch is kept and its commit returned. From a shallow repository, the available history is
 * copied.
 *
 * @throws {AppError} `invalid_request` if there is no such repository or ref, or objects are missing.
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

/** Records where a shallow history ends; without this it would look damaged. */
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
      'The repository lacks objects of its own history. Make a complete new clone and import that.',
      { cause: packed.stderr },
    )
  }
  if (indexed.exitCode === 0) return
  throw new AppError('invalid_request', `The repository cannot be imported: ${findReason(indexed.stderr)}.`)
}

/** Reserved for the service: clients can neither fetch nor push them. */
export const reservedRefsPrefix = 'refs/jobs/'

const looseObjectsMax = 5000
const packsMax = 40

/**
 * Repacks a repository that has become untidy and drops objects unreferenced for two weeks, so that those just written
 * by a running job stay. Of several concurrent calls for one repository, only one does the work.
 *
 * @returns Whether it was needed.
 */
export async function repackRepository(gitDirectory: string, signal: AbortSignal): Promise<boolean> {
  return withFolderLock({ file: `${gitDirectory}.lock`, signal }, async () => {
    const counted = await runGitStrictly({ gitDirectory, args: ['count-objects', '-v'], signal })
    const numberOf = (name: string) =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counted.toString('utf8'))?.[1] ?? 0)
    if (numberOf('count') <= looseObjectsMax && numberOf('packs') <= packsMax) return false
    const args = ['gc', '--quiet', '--prune=2.weeks.ago']
    await runGitStrictly({ gitDirectory, args, signal, hasHelpers: true }, { timeoutMs: importTimeoutMs })
    forgetObjects(gitDirectory)
    return true
  })
}
