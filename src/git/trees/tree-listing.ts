import { posix } from 'node:path'

const linkHopsMax = 8

export interface TreeEntry {
  path: string
  /** Id of the blob. */
  id: string
}

/** The entry of a path once links are followed. */
export interface TreeFile {
  /** Id of the blob. */
  id: string
  isExecutable: boolean
  /** The final target of a link, over all further links; null for a file. */
  linkTarget: string | null
}

/** An entry of a commit that is not read. */
export interface SkippedEntry {
  path: string
  /** A sentence. */
  reason: string
}

export interface TreeListing {
  files: (TreeEntry & { isExecutable: boolean })[]
  links: TreeEntry[]
  skipped: SkippedEntry[]
}

/**
 * Parses the output of `git ls-tree -r -z`: `<mode> <type> <id>`, a tab, the path and NUL per entry.
 *
 * Anyone who commits makes trees, and git lists even those that no checkout would accept, so the paths are checked
 * here.
 */
export function parseTreeListing(output: Buffer): TreeListing {
  const listing: TreeListing = { files: [], links: [], skipped: [] }
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) {
    addEntry(listing, output.subarray(start, end))
  }
  return listing
}

function addEntry(listing: TreeListing, line: Buffer): void {
  const tab = line.indexOf(0x09)
  const [mode = '', , id = ''] = line.toString('latin1', 0, tab).split(' ')
  const name = line.subarray(tab + 1)
  const path = name.toString('utf8')
  const fault = findPathFault(path, name)
  if (fault !== null) listing.skipped.push({ path, reason: fault })
  else if (mode === '100644' || mode === '100755') listing.files.push({ path, id, isExecutable: mode === '100755' })
  else if (mode === '120000') listing.links.push({ path, id })
  else if (mode === '160000')
    listing.skipped.push({ path, reason: 'A submodule is another repository and is not read.' })
  else listing.skipped.push({ path, reason: `Its mode ${mode} is not one of a regular file.` })
}

/** Names that would be lost or mean another place when they pass through strings, URLs and folders. */
function findPathFault(path: string, bytes: Buffer): string | null {
  if (!Buffer.from(path, 'utf8').equals(bytes)) return 'Its name is not UTF-8.'
  const isOdd = path
    .split('/')
    .some((segment) => segment === '' || segment === '.' || segment === '..' || /^\.git$/i.test(segment))
  return isOdd ? 'Its path would lead out of the tree or into ".git".' : null
}

/**
 * Replaces each link by its target, through at most eight links. Links to folders, to nothing and out of the tree are
 * dropped.
 *
 * @param targets Content of each link, by its path; null if it cannot be a path.
 */
export function resolveLinks(
  listing: TreeListing,
  targets: ReadonlyMap<string, string | null>,
): { files: Map<string, TreeFile>; skipped: SkippedEntry[] } {
  const files = new Map<string, TreeFile>()
  for (const { path, id, isExecutable } of listing.files) files.set(path, { id, isExecutable, linkTarget: null })
  const resolved: [path: string, file: TreeFile][] = []
  const skipped = [...listing.skipped]
  for (const { path } of listing.links) {
    const target = followLinks(path, targets)
    const file = target === null ? undefined : files.get(target)
    if (file === undefined) skipped.push({ path, reason: 'It is a link that leads to no file inside the tree.' })
    else resolved.push([path, { ...file, linkTarget: target }])
  }
  for (const [path, file] of resolved) files.set(path, file)
  return { files, skipped }
}

/** The path at the end of a chain of links, or null if it leaves the tree or is circular. */
function followLinks(start: string, targets: ReadonlyMap<string, string | null>): string | null {
  let path = start
  for (let hops = 0; hops <= linkHopsMax; hops += 1) {
    const target = targets.get(path)
    if (target === undefined) return path
    if (target === null || target === '' || target.startsWith('/') || target.includes('\0')) return null
    path = posix.normalize(posix.join(posix.dirname(path), target))
    if (path === '..' || path.startsWith('../')) return null
  }
  return null
}
