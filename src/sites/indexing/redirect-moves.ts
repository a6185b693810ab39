import type { Redirect } from '../../content/links/redirect.ts'
import type { SiteContent, SitePage } from '../../content/site-page.ts'

const redirectsMax = 5_000

const pageFile = /\.(?:mdx?|markdown|html?)$/i

/**
 * Redirects from the addresses of files that moved to the pages of the files that they became.
 *
 * Only where the address of a page is the path of its file, so that the former path gives the former address; not from
 * an address that a page or a redirect of the documentation has.
 *
 * @param movedTo By former path; both are those of the pages' files.
 */
export function redirectMoves(
  { pages, redirects = [], basePath }: Pick<SiteContent, 'redirects' | 'basePath'> & { pages: readonly SitePage[] },
  movedTo: ReadonlyMap<string, string>,
): Redirect[] {
  const base = basePath === undefined || basePath === '/' ? '' : basePath
  const byFile = Map.groupBy(pages, ({ file }) => file)
  const taken = new Set([...pages.map(({ path }) => path), ...redirects.map(({ source }) => source)])
  const moves = movedTo.entries().flatMap(([from, to]) => {
    const [page, other] = byFile.get(to) ?? []
    const folder = page === undefined || other !== undefined ? null : findFolder(page, base)
    const source = folder === null ? null : addressIn(folder, from)
    if (page === undefined || source === null || taken.has(base + source)) return []
    return [{ source: base + source, destination: page.path }]
  })
  return moves.take(redirectsMax).toArray()
}

const bareOf = (file: string) => file.replace(pageFile, '').replace(/(^|\/)index$/, '')

/** The folder below which addresses are paths of files; null if those of this page's site are made otherwise. */
function findFolder({ file, path, source }: SitePage, base: string): string | null {
  if (source === undefined || !`${path}/`.startsWith(`${base}/`)) return null
  const address = path.slice(base.length).replace(/\/$/, '')
  const bare = `/${bareOf(file)}`.replace(/\/$/, '')
  return bare.endsWith(address) ? bare.slice(0, bare.length - address.length) : null
}

/** Null outside the folder, for files that are not pages, and where a redirect would be a pattern. */
function addressIn(folder: string, file: string): string | null {
  if (!pageFile.test(file) || /[:*()[\]?+\\#]/.test(file)) return null
  const bare = `/${bareOf(file)}`
  return bare.startsWith(`${folder}/`) ? bare.slice(folder.length) : null
}
