import Slugger from 'github-slugger'

export type AnchorStyle = 'github' | 'docs-json' | 'vitepress' | 'mkdocs'

/**
 * Makes the ids of a page's headings, in order; repeated headings get a number.
 *
 * @param style How the site itself makes ids, so that links from citations work.
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
  /** Separates slug and number. */
  mark: string
  /** Number of the first use of a slug, which is omitted. */
  first: number
}

const styles: Readonly<Record<Exclude<AnchorStyle, 'github'>, Style>> = {
  'docs-json': { slug: slugDocsJson, mark: '-', first: 1 },
  vitepress: { slug: slugVitepress, mark: '-', first: 0 },
  mkdocs: { slug: slugMkdocs, mark: '_', first: 0 },
}

/** Punctuation and whitespace become one hyphen, letters lose their accents, and no slug starts with a digit. */
function slugVitepress(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}

/** As Python-Markdown: characters outside ASCII are dropped, like punctuation. */
function slugMkdocs(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}

/**
 * The documented rules of the format: lower case; whitespace and full stops become hyphens, straight apostrophes curly
 * ones; slashes and ampersands stay; other punctuation is dropped.
 */
function slugDocsJson(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/[\s.]+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}_/&’-]/gu, '')
}
