import type { Source } from './source-list.tsx'

/**
 * Resolves a link in an answer. Answers link pages by path; each linked page is a source, which has the full address.
 * Other links lead nowhere, because the service only allows links to sources.
 *
 * @returns A source's address; null for a path that is not a source's. Full addresses are returned unchanged.
 */
export function findSourceLink(href: string, sources: readonly Source[]): string | null {
  if (!href.startsWith('/') || href.startsWith('//')) return href
  const [path = '', anchor] = href.split('#', 2)
  const source = sources.find(({ url }) => stripEnd(pathOf(url)).endsWith(stripEnd(path)))
  if (source === undefined) return null
  const [address = ''] = source.url.split('#', 1)
  return anchor === undefined ? address : `${address}#${anchor}`
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? ''
}

/** The path of the home page may be empty. */
function stripEnd(path: string): string {
  return path.replace(/\/+$/, '')
}
