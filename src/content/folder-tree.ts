import { createHash } from 'node:crypto'
import type { Dirent, Stats } from 'node:fs'
import { constants } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../contract/app-error.ts'
import type { FileTree } from './file-tree.ts'
import { ignoredFolderNames } from './ignored-paths.ts'

export interface FolderTreeOptions {
  /** Most files to list; a folder with more is refused. */
  filesMax?: number
  /** Most bytes over all files that are listed. */
  totalBytesMax?: number
  /** Files above this are left out: media and archives, which hold no pages. */
  fileBytesMax?: number
  /** Most folders inside each other. */
  depthMax?: number
  signal?: AbortSignal
}

interface Listing {
  root: string
  limits: Required<Omit<FolderTreeOptions, 'signal'>>
  signal: AbortSignal | undefined
  files: Map<string, Stats>
  totalBytes: number
}

const defaultLimits = {
  filesMax: 100_000,
  totalBytesMax: 4 * 1024 ** 3,
  fileBytesMax: 32 * 1024 ** 2,
  depthMax: 64,
}

/**
 * Lists a folder once, as the source of a site. Symbolic links are left out, also those that stay inside: a link
 * may be turned to point elsewhere between the listing and the read. `.git`, `node_modules` and the other folders that never hold
 * pages are not entered.
 *
 * @throws {AppError} `invalid_request` when the folder is missing, is no folder, or is over a limit.
 */
export async function openFolderTree(folder: string, options: FolderTreeOptions = {}): Promise<FileTree> {
  const { signal, ...given } = options
  const root = await resolveRoot(folder)
  const listing: Listing = { root, limits: { ...defaultLimits, ...given }, signal, files: new Map(), totalBytes: 0 }
  await listFolder(listing, '', 0)
  const paths = [...listing.files.keys()].sort()
  return { revision: digestListing(paths, listing.files), paths, read: (file) => readListed(listing, file) }
}

async function resolveRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    if ((await lstat(root)).isDirectory()) return root
  } catch (cause) {
    throw new AppError('invalid_request', `The folder ${folder} cannot be read. Name a folder that exists.`, { cause })
  }
  throw new AppError('invalid_request', `${folder} is a file. Name the folder that holds the site.`)
}

async function listFolder(listing: Listing, relative: string, depth: number): Promise<void> {
  listing.signal?.throwIfAborted()
  if (depth > listing.limits.depthMax) {
    throw new AppError('invalid_request', `${relative} lies more than ${listing.limits.depthMax} folders deep.`)
  }
  for await (const entry of await opendir(path.join(listing.root, relative))) {
    await listEntry(listing, entry, relative === '' ? entry.name : `${relative}/${entry.name}`, depth)
  }
}

async function listEntry(listing: Listing, entry: Dirent, relative: string, depth: number): Promise<void> {
  if (entry.isDirectory()) {
    if (!ignoredFolderNames.has(entry.name)) await listFolder(listing, relative, depth + 1)
    return
  }
  if (!entry.isFile()) return
  const stats = await lstat(path.join(listing.root, relative))
  if (stats.size > listing.limits.fileBytesMax) return
  listing.files.set(relative, stats)
  listing.totalBytes += stats.size
  if (listing.files.size > listing.limits.filesMax || listing.totalBytes > listing.limits.totalBytesMax) {
    const message = `${listing.root} holds more than ${listing.limits.filesMax} files or ${listing.limits.totalBytesMax} bytes. Point the site at the folder of its documentation.`
    throw new AppError('invalid_request', message)
  }
}

function digestListing(paths: readonly string[], files: ReadonlyMap<string, Stats>): string {
  const hash = createHash('sha256')
  for (const file of paths) {
    const stats = files.get(file)
    hash.update(`${file}\0${stats?.size}\0${stats?.mtimeMs}\0`)
  }
  return hash.digest('hex')
}

/**
 * Opens without following a link, and checks that the real path still lies under the root, because a folder above the
 * file may have become a link since the listing.
 */
async function readListed(listing: Listing, file: string): Promise<Uint8Array> {
  if (!listing.files.has(file)) throw new Error(`${file} is not a file of this folder as it was listed.`)
  const full = path.join(listing.root, file)
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > listing.limits.fileBytesMax) {
      throw new Error(`${file} is no longer a readable file. List the folder again.`)
    }
    if ((await realpath(full)) !== full) throw new Error(`${file} now lies behind a link. List the folder again.`)
    const bytes = new Uint8Array(stats.size)
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
