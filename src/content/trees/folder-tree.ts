import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, opendir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import type { FileTree } from './file-tree.ts'
import { addIgnoreFile, type IgnoreScope, isIgnoredBy } from './ignore-files.ts'
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

const ignoreFileBytesMax = 64 * 1024

/** Names that generators give to the folder of what they made. */
const generatorOutputs: ReadonlySet<string> = new Set(['build', 'dist', 'out', 'site', '_site'])

/**
 * Lists a folder once, as the source of a site. Symbolic links are left out, also those that stay inside: a link
 * may be turned to point elsewhere between the listing and the read. What tools keep, such as `.git` and `node_modules`, what the
 * folder's own ignore files name, and the output of a site generator are left out.
 *
 * @throws {AppError} `invalid_request` when the folder is missing, is no folder, or is over a limit.
 */
export async function openFolderTree(folder: string, options: FolderTreeOptions = {}): Promise<FileTree> {
  const { signal, ...given } = options
  const root = await resolveRoot(folder)
  const listing: Listing = { root, limits: { ...defaultLimits, ...given }, signal, files: new Map(), totalBytes: 0 }
  await listFolder(listing, { relative: '', depth: 0, scopes: [] })
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

interface Folder {
  /** From the root, `''` for the root itself. */
  relative: string
  depth: number
  scopes: readonly IgnoreScope[]
}

async function listFolder(listing: Listing, folder: Folder): Promise<void> {
  const { relative, depth } = folder
  listing.signal?.throwIfAborted()
  if (depth > listing.limits.depthMax) {
    throw new AppError('invalid_request', `${relative} lies more than ${listing.limits.depthMax} folders deep.`)
  }
  const text = await readIgnoreFile(path.join(listing.root, relative))
  const scopes = text === null ? folder.scopes : addIgnoreFile(folder.scopes, relative, text)
  for await (const entry of await opendir(path.join(listing.root, relative))) {
    const name = relative === '' ? entry.name : `${relative}/${entry.name}`
    if (entry.isDirectory()) await listSubfolder(listing, { relative: name, depth: depth + 1, scopes })
    else if (entry.isFile() && !isIgnoredBy(scopes, name)) await listFile(listing, name)
  }
}

async function listSubfolder(listing: Listing, folder: Folder): Promise<void> {
  const { relative, scopes } = folder
  if (ignoredFolderNames.has(path.basename(relative)) || isIgnoredBy(scopes, `${relative}/`)) return
  if (await isGeneratorOutput(path.join(listing.root, relative))) return
  await listFolder(listing, folder)
}

/** Null where there is none, or one that nobody wrote by hand. */
async function readIgnoreFile(folder: string): Promise<string | null> {
  const file = path.join(folder, '.gitignore')
  const stats = await lstat(file).catch(() => null)
  if (stats === null || !stats.isFile() || stats.size > ignoreFileBytesMax) return null
  return readFile(file, 'utf8').catch(() => null)
}

/** A folder by one of their names with the pages that every generator writes, and that no source of one has below its root. */
async function isGeneratorOutput(folder: string): Promise<boolean> {
  if (!generatorOutputs.has(path.basename(folder))) return false
  const found = await Promise.all(
    ['index.html', '404.html'].map((name) => lstat(path.join(folder, name)).catch(() => null)),
  )
  return found.every((stats) => stats !== null)
}

async function listFile(listing: Listing, relative: string): Promise<void> {
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
