import type { Passage } from '../../search/search-query.ts'

/** A passage in the shape in which the offline model reads the search tool's results. */
export function showPassage({ path, anchor, title, headings, content, score }: Passage) {
  const href = anchor === null ? path : `${path}#${anchor}`
  return { path, content, metadata: { title, href, headings, score } }
}
