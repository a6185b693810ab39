import type { Source } from './source-list.tsx'

/**
 * Where a link of an answer leads. Answers link pages by their path on the site; each page that is linked is a source,
 * which has its address. What no source has leads nowhere, because the service lets only links to sources through.
 *
 * @returns An address as the source has it; null for a path that is none of a source. Addresses are handed back.
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

/** The home page has no path where its address has none. */
function stripEnd(path: string): string {
  return path.replace(/\/+$/, '')
}
