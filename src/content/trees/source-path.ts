/** Paths inside a source tree and the paths of pages made from them. Pure; nothing here touches a disk. */

const pageExtension = /\.mdx?$/i

export function isPageFile(file: string): boolean {
  return pageExtension.test(file)
}

/**
 * Resolves a reference to a file: `/x` from the root, anything else from the folder of `fromFile`.
 *
 * @returns The path without a leading slash, or null if it leaves the root or contains a backslash or NUL.
 */
export function resolveSourcePath(fromFile: string, reference: string): string | null {
  if (/[\\\0]/.test(reference)) return null
  const base = reference.startsWith('/') ? [] : fromFile.split('/').slice(0, -1)
  return joinSegments([...base, ...reference.split('/')])?.join('/') ?? null
}

function joinSegments(segments: readonly string[]): string[] | null {
  const joined: string[] = []
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') joined.push(segment)
    else if (joined.pop() === undefined) return null
  }
  return joined
}

/**
 * The address of a file or navigation entry: `guides/install.mdx` → `/guides/install`, `guides/index` → `/guides`,
 * `index` → `/`.
 */
export function pagePathOf(file: string): string {
  const segments = (joinSegments(file.replace(pageExtension, '').split('/')) ?? []).filter((segment) => segment !== '')
  if (isIndexName(segments.at(-1))) segments.pop()
  return `/${segments.join('/')}`
}

/** `README` is also its folder's page, as on forges, and `_index` as in Hugo; `readme` is an ordinary name. */
function isIndexName(segment: string | undefined): boolean {
  return segment === 'index' || segment === 'README' || segment === '_index'
}

/** `getting-started` → `Getting started`; the title of a page without one. */
export function deriveTitle(file: string): string {
  const segments = file.replace(pageExtension, '').split('/')
  const last = isIndexName(segments.at(-1)) && segments.length > 1 ? segments.at(-2) : segments.at(-1)
  return capitalize((last ?? '').replace(/[-_]+/g, ' ').trim())
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Decodes percent escapes; returns malformed text unchanged. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Schemes allowed in links. Links with others, such as `javascript:` and `data:`, are dropped. */
const keptScheme = /^(?:https?|mailto|tel|ftp|sms|slack|vscode|cursor):/i
const anyScheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * Makes a link of a page root-relative: `./install.mdx#x` in `guides/start.mdx` → `/guides/install#x`, `#x` → the
 * page's own path with `#x`.
 *
 * @param from.file The file with the link; relative links start at its folder.
 * @param from.path The page that shows the link, for a bare `#anchor`.
 * @returns Null for a disallowed scheme and for a link that leaves the site.
 */
export function resolveLink(url: string, from: { file: string; path: string }): string | null {
  // Browsers ignore whitespace and controls inside a scheme, so a check must do so too.
  // oxlint-disable-next-line no-control-regex -- finding them is the purpose
  const bare = url.replace(/[\u0000-\u0020]+/g, '')
  if (anyScheme.test(bare)) return keptScheme.test(bare) ? url.trim() : null
  if (bare.startsWith('//')) return `https:${bare}`
  const [, target = '', suffix = ''] = /^([^?#]*)([\s\S]*)$/.exec(bare) ?? []
  if (target === '') return `${from.path}${suffix}`
  const file = resolveSourcePath(from.file, target)
  return file === null ? null : `${pagePathOf(file)}${suffix}`
}
