const unsafe = /[^\p{L}\p{N}\p{M}\-._~/:#?=&%+@!$,;]/gu
/** Renderers decode these, so that another address would come out than the one that was checked. */
const referenceLike = /&(?=#?\w+;)/g

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

/** A target that no renderer reads otherwise: what could end or change it is percent-encoded. */
function writeTarget(target: string): string {
  return target.trim().replace(unsafe, encode).replace(referenceLike, '%26')
}

/** `//host` and `/\host` are addresses of other sites. */
function isLocalTarget(target: string): boolean {
  return target.startsWith('/') && !/^\/[/\\]/.test(target)
}

/** Half a character has no bytes. */
function encode(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 128) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
  return code >= 0xd800 && code <= 0xdfff ? '' : encodeURIComponent(character)
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
