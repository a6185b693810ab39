import { isLocalTarget, writeTarget } from './link-target.ts'

/** Where a link leads within a site. */
export interface SitePath {
  /** Root-relative, decoded, without query, anchor and slash at the end. */
  path: string
  /** As it may be written in a link. */
  target: string
}

/** @returns Null when the target lies outside of the site. Relative targets do too: nothing says what they start from. */
export function findSitePath(siteUrl: string, target: string): SitePath | null {
  const written = writeTarget(target)
  const isAbsolute = written === siteUrl || written.startsWith(`${siteUrl}/`)
  const local = isAbsolute ? written.slice(siteUrl.length) || '/' : written
  if (!isLocalTarget(local)) return null
  return { path: decodePath(local.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')), target: written }
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
