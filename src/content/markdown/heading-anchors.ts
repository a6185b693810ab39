import Slugger from 'github-slugger'

export type AnchorStyle = 'github' | 'docs-json' | 'vitepress' | 'mkdocs'

/**
 * Makes the ids of a page's headings, in order; the same words again get a number.
 *
 * @param style How the site's own pages are addressed, so that a citation jumps to the right place.
 */
export function createAnchorMaker(style: AnchorStyle): (heading: string) => string {
  if (style === 'github') {
    const slugger = new Slugger()
    return (heading) => slugger.slug(heading)
  }
  const { slug: makeSlug, mark, first } = styles[style]
  const uses = new Map<string, number>()
  return (heading) => {
    const slug = makeSlug(heading)
    const count = (uses.get(slug) ?? first - 1) + 1
    uses.set(slug, count)
    return count === first ? slug : `${slug}${mark}${count}`
  }
}

interface Style {
  slug: (heading: string) => string
  /** Stands between a slug and its number. */
  mark: string
  /** The number that the first use of a slug has, which is not written. */
  first: number
}

const styles: Readonly<Record<Exclude<AnchorStyle, 'github'>, Style>> = {
  'docs-json': { slug: slugDocsJson, mark: '-', first: 1 },
  vitepress: { slug: slugVitepress, mark: '-', first: 0 },
  mkdocs: { slug: slugMkdocs, mark: '_', first: 0 },
}

/** Punctuation and blanks become one hyphen; letters lose their accents; no slug begins with a digit. */
function slugVitepress(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}

/** What Python's Markdown makes of it: letters outside ASCII fall away with all punctuation. */
function slugMkdocs(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
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
