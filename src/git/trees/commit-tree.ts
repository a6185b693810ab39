import { isAbsolute, join } from 'node:path'
import { BoundedCache } from '../../base/bounded-cache.ts'
import { AppError } from '../../contract/app-error.ts'
import { pathExists } from '../../base/path-exists.ts'
import { openGitObjectReader, type GitObjectReader } from './git-object-reader.ts'
import { resolveCommit, resolveObject } from '../resolve-commit.ts'
import { runGit } from '../run-git.ts'
import { normalizeFolder } from '../repository-path.ts'
import {
  parseTreeListing,
  resolveLinks,
  type SkippedEntry,
  type TreeEntry,
  type TreeFile,
  type TreeListing,
} from './tree-listing.ts'

const blobBytesMax = 32 * 1024 * 1024
const linkTargetBytesMax = 4096

export interface CommitTreeLocation {
  /** Absolute path of a checked-out or bare repository. */
  repository: string
  /** A branch, tag or commit id; null for the repository's current branch. */
  ref: string | null
  /** `/` between segments; empty for the whole tree. */
  subdirectory: string
}

/** The files of one commit, read without a checkout. Unaffected by later changes to the repository. */
export interface CommitTree {
  /** The commit's id. */
  readonly revision: string
  /**
   * Paths of files relative to the subdirectory, sorted by code unit. A link to a file inside the tree represents that
   * file.
   */
  readonly paths: readonly string[]
  /** Entries of the commit that are not in `paths`, each with a sentence that says why. */
  readonly skipped: readonly SkippedEntry[]
  /** The entry of a path; null if it is not in `paths`. */
  find(path: string): TreeFile | null
  /**
   * Safe to call concurrently.
   *
   * @throws {Error} if the path is not in `paths`, the file is over 32 MiB or missing from a partial clone, or the tree
   *   is closed.
   */
  read(path: string): Promise<Uint8Array>
  /** Ends the process that serves the reads. Idempotent. */
  close(): void
}

/**
 * Opens a commit for reading. Runs nothing named by the repository's configuration, hooks or attributes, and uses no
 * network: objects missing from a partial clone cannot be read.
 *
 * Aborting the signal closes the tree.
 *
 * @throws {AppError} `invalid_request` if the folder is not a repository, or has no such ref or subdirectory.
 */
export async function openCommitTree(location: CommitTreeLocation, signal: AbortSignal): Promise<CommitTree> {
  const gitDirectory = await findGitDirectory(location.repository)
  const revision = await resolveCommit({ gitDirectory, ref: location.ref }, signal)
  const treeId = await resolveTree({ gitDirectory, revision, subdirectory: location.subdirectory }, signal)
  const listing = await listTree(gitDirectory, treeId, signal)

  const reader = openGitObjectReader({ gitDirectory, blobBytesMax }, signal)
  try {
    const { files, skipped } = resolveLinks(listing, await readLinkTargets(reader, listing.links))
    return createCommitTree({ revision, files, skipped, reader })
  } catch (error) {
    reader.close()
    throw error
  }
}

/** Resolves a ref of a repository on this machine to its commit. @throws {AppError} as `openCommitTree`. */
export async function readRepositoryTip(
  { repository, ref }: Pick<CommitTreeLocation, 'repository' | 'ref'>,
  signal: AbortSignal,
): Promise<string> {
  return resolveCommit({ gitDirectory: await findGitDirectory(repository), ref }, signal)
}

interface OpenedCommit {
  revision: string
  files: ReadonlyMap<string, TreeFile>
  skipped: readonly SkippedEntry[]
  reader: GitObjectReader
}

function createCommitTree({ revision, files, skipped, reader }: OpenedCommit): CommitTree {
  return {
    revision,
    paths: [...files.keys()].sort(),
    skipped,
    find: (path) => files.get(path) ?? null,
    read: async (path) => {
      const file = files.get(path)
      if (file === undefined) throw new Error(`There is no file "${path}" in the commit.`)
      return await reader.readBlob(file.id)
    },
    close: () => reader.close(),
  }
}

/**
 * The git directory of a repository.
 *
 * Fixed here, because git would search parent folders and accept a folder that merely looks like a bare repository. Git
 * itself follows a `.git` file, as in linked working trees.
 */
export async function findGitDirectory(repository: string): Promise<string> {
  if (!isAbsolute(repository))
    throw new AppError(
      'invalid_request',
      `"${repository}" is not an absolute path. Give the full path of the repository's folder.`,
    )
  const found = await readGitDirectory(repository)
  if (found !== null) return found
  throw new AppError(
    'invalid_request',
    `"${repository}" is not a git repository. Name the folder that contains ".git", or a bare repository.`,
  )
}

/** The git directory of a checked-out or bare repository; null if the folder is neither. */
async function readGitDirectory(folder: string): Promise<string | null> {
  const checkedOut = join(folder, '.git')
  if (await pathExists(checkedOut)) return checkedOut
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => pathExists(join(folder, name))))
  return parts.every(Boolean) ? folder : null
}

export async function isGitRepository(folder: string): Promise<boolean> {
  return (await readGitDirectory(folder)) !== null
}

async function resolveTree(
  { gitDirectory, revision, subdirectory }: { gitDirectory: string; revision: string; subdirectory: string },
  signal: AbortSignal,
): Promise<string> {
  const path = normalizeFolder(subdirectory)
  if (path === '') return revision
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new AppError(
      'invalid_request',
      `"${subdirectory}" is not a folder below the repository's root. Write it like "docs/site".`,
    )
  }
  const id = await resolveObject(gitDirectory, `${revision}:${path}`, signal)
  if (id === null)
    throw new AppError(
      'invalid_request',
      `The commit ${revision.slice(0, 12)} has no folder "${path}". Check the subdirectory's spelling.`,
    )
  return id
}

/** Of the trees opened last, weighed by their entries: a job opens the same tree several times. */
const listings = new BoundedCache<TreeListing>(20_000)

async function listTree(gitDirectory: string, treeId: string, signal: AbortSignal): Promise<TreeListing> {
  const key = `${gitDirectory}\0${treeId}`
  const known = listings.get(key)
  if (known !== undefined) return known
  const listing = await readListing(gitDirectory, treeId, signal)
  listings.set(key, listing, 1 + listing.files.length + listing.links.length + listing.skipped.length)
  return listing
}

/** Sizes are not requested, because git would fail at the first object missing from a partial clone. */
async function readListing(gitDirectory: string, treeId: string, signal: AbortSignal): Promise<TreeListing> {
  const { exitCode, stdout, stderr } = await runGit({
    gitDirectory,
    args: ['ls-tree', '-r', '-z', '--full-tree', treeId],
    signal,
  })
  if (exitCode === 0) return parseTreeListing(stdout)
  if (/not a tree object/.test(stderr))
    throw new AppError('invalid_request', 'The subdirectory is a file. Name the folder that it is in.')
  throw new Error(`git ls-tree exited with ${exitCode}: ${stderr.trim()}`)
}

/** Link paths to link targets; null for targets too long to be a path. */
async function readLinkTargets(
  reader: GitObjectReader,
  links: readonly TreeEntry[],
): Promise<Map<string, string | null>> {
  const targets = await Promise.all(
    links.map(async ({ path, id }) => {
      const bytes = await reader.readBlob(id)
      return [path, bytes.length > linkTargetBytesMax ? null : new TextDecoder().decode(bytes)] as const
    }),
  )
  return new Map(targets)
}
