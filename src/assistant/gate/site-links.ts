const unsafe = /[^\p{L}\p{N}\p{M}\-._~/:#?=&%+@!$,;]/gu
/** Renderers decode these, so the resulting URL would differ from the one that was checked. */
const referenceLike = /&(?=#?\w+;)/g

/** Where a link leads within a site. */
export interface SitePath {
  /** Root-relative, decoded, without query, anchor and trailing slash. */
  path: string
  /** As it may be written in a link. */
  target: string
  /** The target without the site's URL: root-relative, with query and anchor. */
  local: string
}

/** @returns Null if the target is outside the site. So are relative targets, because their base is unknown. */
export function findSitePath(siteUrl: string, target: string): SitePath | null {
  const written = writeTarget(target)
  const local = stripSite(siteUrl, written) ?? written
  if (!isLocalTarget(local)) return null
  return { path: decodePath(local.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')), target: written, local }
}

/** The URL of the start page may have no slash. @returns Null if the target does not begin with the site's URL. */
function stripSite(siteUrl: string, target: string): string | null {
  const rest = target.startsWith(siteUrl) ? target.slice(siteUrl.length) : null
  return rest === null || rest.startsWith('/') ? rest : /^(?:$|[?#])/.test(rest) ? `/${rest}` : null
}

/** A target that all renderers read the same: anything that could end or change it is percent-encoded. */
function writeTarget(target: string): string {
  return target.trim().replace(unsafe, encode).replace(referenceLike, '%26')
}

/** `//host` and `/\host` are URLs of other sites. */
function isLocalTarget(target: string): boolean {
  return target.startsWith('/') && !/^\/[/\\]/.test(target)
}

/** A lone surrogate cannot be encoded. */
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
