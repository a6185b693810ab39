import type { PageHead } from '../../pages/page-head.ts'
import { dropNumberPrefixes, splitNumberPrefix } from '../../routes/number-prefix.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

/** A document in one version and language. */
export interface DocusaurusDoc {
  file: string
  /** As written, below the folder of its version, without extension. */
  source: string
  /** As referenced in sidebars: `guides/install`. */
  id: string
  path: string
  head: PageHead
  /** Sort key in a generated sidebar; null if unset. */
  position: number | null
}

/**
 * Derives a document's id and address: number prefixes are dropped, frontmatter `id` and `slug` replace the last
 * segment, and a document named `index`, `README` or like its folder is that folder's page.
 *
 * @param route The address of its version.
 */
export function describeDoc(name: string, file: string, head: PageHead, route: string): DocusaurusDoc {
  const source = name.replace(/\.mdx?$/i, '')
  const clean = head.keepsNumberPrefix ? source : dropNumberPrefixes(source)
  const segments = clean.split('/')
  const last = segments.pop() ?? ''
  const folder = segments.join('/')
  const baseId = head.id ?? last
  const isFolderPage = ['index', 'readme', segments.at(-1)?.toLowerCase()].includes(last.toLowerCase())
  const number = head.keepsNumberPrefix ? null : splitNumberPrefix(source.split('/').at(-1) ?? '').number
  return {
    file,
    source,
    id: folder === '' ? baseId : `${folder}/${baseId}`,
    path: joinRoute(route, addressOf(head.slug, folder, isFolderPage ? '' : baseId)),
    head,
    position: head.position ?? number,
  }
}

function addressOf(slug: string | null, folder: string, name: string): string {
  if (slug === null) return joinRoute(folder, name)
  if (slug.startsWith('/')) return slug
  return resolveSourcePath(folder === '' ? 'x' : `${folder}/x`, slug) ?? slug
}
