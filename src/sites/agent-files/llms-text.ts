import type { ListedPage, Reader } from '../../search/search-query.ts'
import { pageHref } from '../site-url.ts'
import { linkToMarkdown } from './page-markdown.ts'
import {
  cutLine,
  encodePath,
  linkText,
  listDefaultPages,
  markdownUrl,
  publishedName,
  type PublishedSite,
} from './published-site.ts'

/** Programs cut longer files off. */
export const llmsTextCharsMax = 50_000

/** Tried in this order until the list fits: descriptions are shortened before the list is divided. */
const descriptionCharsMax = [300, 160, 80, 40]
const sectionsMax = 200
/** Reserved for the sentence that says how many pages are missing. */
const noteCharsMax = 300

interface LlmsSection {
  /** Of its file: `/llms/{name}.txt`. */
  name: string
  title: string
  pages: readonly ListedPage[]
}

/**
 * Renders the site as `llms.txt`: its name and summary, its owner's notes for programs, a link to the Markdown of each
 * listed page of the default version and language, in the sections of the navigation, and its API descriptions.
 *
 * @returns At most `llmsTextCharsMax` characters. If needed, the descriptions of all pages are shortened equally, then
 *   each section is a file of its own, which the list links to.
 * @see https://llmstxt.org
 */
export function buildLlmsText(published: PublishedSite): string {
  const head = writeHead(published)
  const tail = listApiFiles(published)
  const sections = listLlmsSections(published)
  const charsMax = llmsTextCharsMax - head.length - tail.length
  const fitting = fitSections(published, sections, charsMax)
  if (fitting !== null) return head + fitting + tail
  const files = sections.map(({ name, title, pages }) => {
    const topics = cutLine(
      pages
        .slice(0, 8)
        .map((page) => page.title)
        .join(', '),
      160,
    )
    return `- [${linkText(title)}](${published.filesUrl}/llms/${name}.txt): ${pages.length} pages: ${topics}\n`
  })
  return `${head}\n## Sections\n\n${fitLines(published, files, charsMax)}${tail}`
}

/** The file of a section of a large site; null if there is no such section. */
export function buildSectionText(published: PublishedSite, name: string): string | null {
  const sections = listLlmsSections(published)
  const section = sections.find((one) => one.name === name)
  if (section === undefined) return null
  const head = `# ${linkText(`${publishedName(published)}: ${section.title}`)}\n\n> ${section.pages.length} pages. Index of all sections: ${published.filesUrl}/llms.txt\n`
  const charsMax = llmsTextCharsMax - head.length
  const fitting = fitSections(published, [section], charsMax)
  return head + (fitting ?? `\n## Pages\n\n${fitLines(published, listLines(published, section.pages, 0), charsMax)}`)
}

/** The files that `buildLlmsText` links to; none for a site that fits into one. */
export function listSectionFiles(published: PublishedSite): string[] {
  const text = buildLlmsText(published)
  return listLlmsSections(published)
    .map(({ name }) => name)
    .filter((name) => text.includes(`/llms/${name}.txt)`))
}

/** Grouped by the outermost level of the navigation with more than one entry, in its order. */
function listLlmsSections(published: Pick<PublishedSite, 'site' | 'pages'>): LlmsSection[] {
  const pages = listDefaultPages(published)
  const depth = [0, 1, 2].find((at) => new Set(pages.map(({ section }) => section[at])).size > 1) ?? 0
  const titleOf = ({ section }: ListedPage) => section.slice(depth, depth + 1).join('') || section.at(-1) || 'Docs'
  const groups = [...Map.groupBy(pages, titleOf)]
  const kept = groups.slice(0, sectionsMax - 1)
  const rest = groups.slice(sectionsMax - 1).flatMap(([, some]) => some)
  const names = new Set<string>()
  return [...kept, ...(rest.length === 0 ? [] : [['More', rest] as const])].map(([title, some]) => {
    const name = nameFile(title, names)
    return { name, title, pages: some }
  })
}

function nameFile(title: string, names: Set<string>): string {
  const slug =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'section'
  const name = names.has(slug) ? `${slug}-${names.size + 1}` : slug
  names.add(name)
  return name
}

/** Null if they do not fit even with the shortest descriptions. */
function fitSections(published: PublishedSite, sections: readonly LlmsSection[], charsMax: number): string | null {
  const texts = descriptionCharsMax
    .values()
    .map((chars) =>
      sections
        .map(({ title, pages }) => `\n## ${linkText(title)}\n\n${listLines(published, pages, chars).join('')}`)
        .join(''),
    )
  return texts.find((text) => text.length <= charsMax) ?? null
}

function listLines(published: PublishedSite, pages: readonly ListedPage[], descriptionChars: number): string[] {
  return pages.map((page) => {
    const about = cutLine(page.description.trim().split(/\n\s*\n/)[0] ?? '', descriptionChars)
    return `- [${linkText(page.title)}](${markdownUrl(published, page.path)})${about === '' ? '' : `: ${about}`}\n`
  })
}

/** As many lines as fit, and how many do not. */
function fitLines({ filesUrl }: PublishedSite, lines: readonly string[], charsMax: number): string {
  let chars = noteCharsMax + filesUrl.length
  const end = lines.findIndex((line) => (chars += line.length) > charsMax)
  if (end === -1) return lines.join('')
  return `${lines.slice(0, end).join('')}\n${lines.length - end} more are left out to keep this list short. All pages are in ${filesUrl}/llms-full.txt\n`
}

function writeHead(published: PublishedSite): string {
  const { site, pages, filesUrl } = published
  const name = linkText(publishedName(published))
  const count = listDefaultPages({ site, pages }).length
  const summary = cutLine(site.index.header.siteDescription, 1_000) || `Documentation of ${name}: ${count} pages.`
  const ways = `Every page is also Markdown: add .md to its address. All pages in one file: ${filesUrl}/llms-full.txt\n`
  return `# ${name}\n\n> ${summary}\n\n${quoteInstructions(published)}${ways}`
}

/** Every line is quoted, so that none becomes a heading or a list entry. */
function quoteInstructions({ site }: PublishedSite): string {
  const { instructions } = site.index.header
  if (instructions === undefined) return ''
  const lines = instructions.split('\n').map((line) => `> ${line}`.trimEnd())
  return `> ## Agent Instructions\n${lines.join('\n')}\n\n`
}

/** Only the owner's own site serves them: Docent serves pages without their source. */
function listApiFiles({ site: { url, index }, filesUrl }: PublishedSite): string {
  const files = url === filesUrl ? [] : (index.header.apiFiles ?? [])
  if (files.length === 0) return ''
  const lines = files.map(
    (file) => `- [${linkText(cutLine(file.replace(/^.*\//, ''), 100))}](${url}/${encodePath(file)})\n`,
  )
  return `\n## OpenAPI Specs\n\n${lines.join('')}`
}

/**
 * Every listed page in full: title, address, description, Markdown. One page at a time, because all of them together
 * may not fit in memory.
 */
export async function* writeLlmsFullText(
  published: PublishedSite,
  reader: Reader,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { site } = published
  yield `> Index of all pages: ${published.filesUrl}/llms.txt\n\n`
  for (const { path } of listDefaultPages(published)) {
    const page = await site.index.readPage(path, reader, signal)
    if (page === null) continue
    const description = page.description === '' ? '' : `\n${page.description}\n`
    const source = pageHref(site, page.path, null)
    yield `# ${page.title}\n\nSource: ${source}\n${description}\n${linkToMarkdown(published, page.markdown).trim()}\n\n\n`
  }
}
