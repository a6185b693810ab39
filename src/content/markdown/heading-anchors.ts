import { slug as slugGithub } from 'github-slugger'
import { createFenceTracker } from './code-fence.ts'
import { isHeading, readHeading } from './markdown-blocks.ts'

/** How a site makes the ids of its headings. */
export type AnchorStyle = 'github' | 'docs-json' | 'vitepress' | 'mkdocs' | 'mkdocs-unicode' | 'mkdocs-unicode-cased'

/**
 * The id of a heading line of a page: the one in `{#id}`, else GitHub's slug of its text. `writeHeadingIds` has written
 * every other id into the Markdown, so that no other rule is needed to link to a page. Empty if the text has no letters.
 */
export function anchorOf(line: string): string {
  const { text, id } = readHeading(line)
  return id ?? slugGithub(text)
}

/**
 * Writes `{#id}` after each heading whose id on the site differs from GitHub's slug of its text, and removes redundant
 * ids. Repeated headings are numbered as the site does.
 */
export function writeHeadingIds(markdown: string, style: AnchorStyle): string {
  const makeId = createIdMaker(style)
  return mapHeadings(markdown, (line) => {
    const { text, id } = readHeading(line)
    const actual = makeId(text, id)
    const bare = withoutId(line)
    return actual === '' || actual === slugGithub(text) ? bare : `${bare} {#${actual}}`
  })
}

/** Removes the ids from headings, which readers of a passage have no use for. */
export function hideHeadingIds(markdown: string): string {
  return markdown.includes('{#') ? mapHeadings(markdown, withoutId) : markdown
}

/** The id by the rules of a site, not yet numbered. */
export function slugHeading(text: string, style: AnchorStyle): string {
  return rules[style].slug(text)
}

/** The ids of a page's headings, in order. */
export function listAnchors(markdown: string): string[] {
  const isCode = createFenceTracker()
  const lines = markdown.split('\n').filter((line) => !isCode(line) && isHeading(line))
  return lines.map(anchorOf).filter((anchor) => anchor !== '')
}

function mapHeadings(markdown: string, map: (line: string) => string): string {
  const isCode = createFenceTracker()
  const lines = markdown.split('\n')
  return lines.map((line) => (isCode(line) || !isHeading(line) ? line : map(line))).join('\n')
}

function withoutId(line: string): string {
  return line.replace(/[ \t]{0,20}\{#[^\s{}]{1,200}\}(?=[ \t#]{0,20}$)/, '')
}

/** Explicit ids count as used. */
function createIdMaker(style: AnchorStyle): (text: string, explicitId: string | null) => string {
  const { slug, number } = rules[style]
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (text, explicitId) => {
    const first = slug(text)
    let id = explicitId ?? first
    let count = counts.get(first) ?? 0
    if (explicitId === null) while (used.has(id)) id = number(first, ++count)
    counts.set(first, count)
    used.add(id)
    return id
  }
}

interface AnchorRule {
  slug: (heading: string) => string
  /** The id of the repetition `count`, from 1, of a slug. */
  number: (slug: string, count: number) => string
}

const numberFromOne: AnchorRule['number'] = (slug, count) => `${slug}-${count}`

const rules: Readonly<Record<AnchorStyle, AnchorRule>> = {
  github: { slug: slugGithub, number: numberFromOne },
  'docs-json': { slug: slugDocsJson, number: (slug, count) => `${slug}-${count + 1}` },
  vitepress: { slug: slugVitepress, number: numberFromOne },
  mkdocs: { slug: slugMkdocs, number: numberMkdocs },
  'mkdocs-unicode': { slug: (heading) => slugUnicode(heading.toLowerCase()), number: numberMkdocs },
  'mkdocs-unicode-cased': { slug: slugUnicode, number: numberMkdocs },
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

/** As Python-Markdown: characters outside ASCII are dropped, like punctuation; an empty slug is numbered at once. */
function slugMkdocs(heading: string): string {
  const slug = heading
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
  return slug === '' ? '_1' : slug
}

/** As `pymdownx.slugs.slugify`, which sites in other languages set: letters of all scripts are kept. */
function slugUnicode(heading: string): string {
  const slug = heading
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  return slug === '' ? '_1' : slug
}

/** As Python-Markdown: the number at the end of a slug is increased. */
function numberMkdocs(slug: string, count: number): string {
  const [, stem = slug, end = '0'] = /^(.*)_(\d{1,9})$/.exec(slug) ?? []
  return `${stem}_${Number(end) + count}`
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
