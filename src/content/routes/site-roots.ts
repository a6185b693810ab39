/** Folders of samples and tools, which are not part of the site. */
const otherFolders =
  /(?:^|\/)(?:node_modules|examples?|templates?|tests?|fixtures|__tests__|e2e|starters?|\.[^/]+)(?:\/|$)/

const depthMax = 4

/**
 * Finds the folder of a site's configuration in a whole repository: the one nearest to the root, preferring
 * documentation folders. Pure.
 *
 * @param file Matches the path of the configuration file below that folder, such as `/^astro\.config\.m?js$/`.
 * @returns The folder without trailing slash, `''` for the root, or null if there is none.
 */
export function findSiteRoot(
  paths: ReadonlySet<string>,
  file: RegExp,
  suits: (root: string) => boolean = () => true,
): string | null {
  const roots = new Set<string>()
  for (const path of paths) {
    // Every format looks through all paths, so nothing is taken apart that need not be.
    let start = 0
    for (let depth = 0; depth <= depthMax && (start > 0 || depth === 0); depth++) {
      if (file.test(path.slice(start))) roots.add(path.slice(0, Math.max(0, start - 1)))
      start = path.indexOf('/', start) + 1
    }
  }
  const suiting = [...roots].filter((root) => !otherFolders.test(root) && suits(root))
  return suiting.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null
}

function rank(root: string): number {
  const depth = root === '' ? 0 : root.split('/').length
  return depth - (/(?:^|\/)(?:docs?|documentation|website|site|www)$/.test(root) ? 0.5 : 0)
}

/** `inFolder('docs', 'a.md')` → `docs/a.md`; just the name for the root. */
export function inFolder(root: string, name: string): string {
  if (root === '') return name
  return name === '' ? root : `${root}/${name}`
}

/** Files below a folder by their relative path; all files for the root. */
export function filesBelow(paths: Iterable<string>, folder: string): Map<string, string> {
  const prefix = folder === '' ? '' : `${folder}/`
  const found = new Map<string, string>()
  for (const path of paths) if (path.startsWith(prefix)) found.set(path.slice(prefix.length), path)
  return found
}

/** The first file below a folder whose relative path matches. */
export function findFileBelow(paths: Iterable<string>, folder: string, pattern: RegExp): string | undefined {
  for (const [name, file] of filesBelow(paths, folder)) if (pattern.test(name)) return file
  return undefined
}
