import Slugger from 'github-slugger'
import type { SitePage } from './site-page.ts'

/**
 * Makes the ids of a page's headings, in order; the same words again get a number.
 *
 * @param style How the site's own pages are addressed, so that a citation jumps to the right place.
 */
export function createAnchorMaker(style: NonNullable<SitePage['anchorStyle']>): (heading: string) => string {
  if (style === 'github') {
    const slugger = new Slugger()
    return (heading) => slugger.slug(heading)
  }
  const uses = new Map<string, number>()
  return (heading) => {
    const slug = slugDocsJson(heading)
    const count = (uses.get(slug) ?? 0) + 1
    uses.set(slug, count)
    return count === 1 ? slug : `${slug}-${count}`
  }
}

/**
 * The documented rules of the format: lower case, blanks and full stops become hyphens, a straight apostrophe becomes a curly one,
 * slashes and ampersands stay, other punctuation goes.
 */
function slugDocsJson(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/[\s.]+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}_/&’-]/gu, '')
}
