import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, opendir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import type { FileTree } from './file-tree.ts'
import { ignoredFolderNames } from './ignored-paths.ts'
import ignore, { type Ignore } from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

export interface FolderTreeOptions {
  /** Most files; larger folders are rejected. */
  filesMax?: number
  /** Most bytes over all listed files. */
  totalBytesMax?: number
  /** Larger files are skipped: media and archives, which contain no pages. */
  fileBytesMax?: number
  /** Deepest nesting of folders. */
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

export const folderLimits = {
  filesMax: 100_000,
  totalBytesMax: 4 * 1024 ** 3,
  fileBytesMax: 32 * 1024 ** 2,
  depthMax: 64,
}

const ignoreFileBytesMax = 64 * 1024

/** Output folders of site generators. */
const generatorOutputs: ReadonlySet<string> = new Set(['build', 'dist', 'out', 'site', '_site'])

/**
 * Lists a folder as the source of a site. Skips symbolic links, even those that stay inside, because a link may be
 * redirected between listing and reading. Also skips tool folders such as `.git` and `node_modules`, files matched by
 * the folder's ignore files, and the output of site generators.
 *
 * @throws {AppError} `invalid_request` when the folder is missing, not a folder, or over a limit.
 */
export async function openFolderTree(folder: string, options: FolderTreeOptions = {}): Promise<FileTree> {
  const { signal, ...given } = options
  const root = await resolveRoot(folder)
  const listing: Listing = { root, limits: { ...folderLimits, ...given }, signal, files: new Map(), totalBytes: 0 }
  await listFolder(listing, { relative: '', depth: 0, scopes: [] })
  const paths = [...listing.files.keys()].sort()
  return { revision: digestListing(paths, listing.files), paths, read: (file) => readListed(listing, file) }
}

async function resolveRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder)
    if ((await lstat(root)).isDirectory()) return root
  } catch (cause) {
    throw new AppError('invalid_request', `The folder ${folder} cannot be read. Specify an existing folder.`, { cause })
  }
  throw new AppError('invalid_request', `${folder} is a file. Specify the folder that contains the site.`)
}

interface Folder {
  /** Relative to the root; `''` for the root itself. */
  relative: string
  depth: number
  scopes: readonly IgnoreScope[]
}

async function listFolder(listing: Listing, folder: Folder): Promise<void> {
  const { relative, depth } = folder
  listing.signal?.throwIfAborted()
  if (depth > listing.limits.depthMax) {
    throw new AppError('invalid_request', `${relative} is more than ${listing.limits.depthMax} folders deep.`)
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

/** Null if there is none, or if it is too large to be handwritten. */
async function readIgnoreFile(folder: string): Promise<string | null> {
  const file = path.join(folder, '.gitignore')
  const stats = await lstat(file).catch(() => null)
  if (stats === null || !stats.isFile() || stats.size > ignoreFileBytesMax) return null
  return readFile(file, 'utf8').catch(() => null)
}

/** Has an output name and the two pages that every generator writes; no source has both below its root. */
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
    const message = `${listing.root} contains more than ${listing.limits.filesMax} files or ${listing.limits.totalBytesMax} bytes. Point the site at the folder of its documentation.`
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
 * Opens without following links and verifies that the real path is still under the root, because a parent folder may
 * have become a link since the listing.
 */
async function readListed(listing: Listing, file: string): Promise<Uint8Array> {
  if (!listing.files.has(file)) throw new Error(`${file} was not in this folder when it was listed.`)
  const full = path.join(listing.root, file)
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > listing.limits.fileBytesMax) {
      throw new Error(`${file} is no longer a readable file. List the folder again.`)
    }
    if ((await realpath(full)) !== full) throw new Error(`${file} is now behind a link. List the folder again.`)
    const bytes = new Uint8Array(stats.size)
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** An ignore file and where it applies. */
interface IgnoreScope {
  /** Folder of the file, `''` for the root. */
  folder: string
  matcher: Ignore
}

/** Adds a folder's `.gitignore` to those of its parents. */
function addIgnoreFile(above: readonly IgnoreScope[], folder: string, text: string): readonly IgnoreScope[] {
  const matcher = ignore({ ignorecase: false }).add(keepCheapPatterns(text.split('\n', 1000)))
  return [...above, { folder, matcher }]
}

/**
 * Whether ignore files exclude a path. The nearest match wins, as in git.
 *
 * @param path From the root of the tree, with a trailing slash for a folder.
 */
function isIgnoredBy(scopes: readonly IgnoreScope[], path: string): boolean {
  for (const { folder, matcher } of scopes.toReversed()) {
    const { ignored, unignored } = matcher.test(folder === '' ? path : path.slice(folder.length + 1))
    if (ignored || unignored) return ignored
  }
  return false
}
