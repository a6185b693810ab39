import { posix } from 'node:path'

/** The page of a folder's entry, under any of the names that formats give it; null if there is none. */
export function findNamedPage(paths: ReadonlySet<string>, folder: string, name: string): string | null {
  const path = posix.normalize(posix.join(folder === '' ? '.' : folder, name.replace(/\.mdx?$/, '')))
  const candidates = [`${path}.mdx`, `${path}.md`, `${path}/page.mdx`, `${path}/page.md`]
  return candidates.find((candidate) => paths.has(candidate)) ?? null
}

/** How the file of a folder names a page: by its path below, without its extension; null outside of it. */
export function nameBelow(folder: string, file: string): string | null {
  const prefix = folder === '' ? '' : `${folder}/`
  if (!file.startsWith(prefix)) return null
  return file.slice(prefix.length).replace(/(?:\/page)?\.mdx?$/, '')
}

export function folderOf(file: string): string {
  const folder = posix.dirname(file)
  return folder === '.' ? '' : folder
}
