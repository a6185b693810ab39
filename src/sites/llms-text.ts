import type { IndexedPage, Reader } from '../search/search-query.ts'
import type { LiveSite } from './live-sites.ts'
import { makeLinksAbsolute, pageHref } from './site-url.ts'

/** `llms.txt` is read whole by language models, so it must stay small. */
export const llmsTextCharsMax = 100_000

/** Tried in this order until the list fits: descriptions are given up before pages are. */
const descriptionCharsMax = [300, 160, 80, 40, 0]

/** Reserved for the sentence that says how many pages are missing. */
const noteCharsMax = 300

type ListedPage = Omit<IndexedPage, 'markdown'>

/** The part of a site that these texts are made of. */
export interface LlmsSite extends Pick<LiveSite, 'name' | 'url'> {
  index: Pick<LiveSite['index'], 'header' | 'readPage'>
}

export interface LlmsTextInput {
  site: LlmsSite
  /** In navigation order. */
  pages: readonly ListedPage[]
  /** Base URL of the pages' Markdown and the full text, without a trailing slash: not every site serves its own. */
  markdownUrl: string
}

/**
 * Renders the site as `llms.txt`: its name and description, its owner's notes for programs, a link to the Markdown of
 * each listed page of the default version and language, in navigation order, and its API descriptions.
 *
 * @returns At most `llmsTextCharsMax` characters. If needed, the descriptions of all pages are shortened equally, then
 *   the last pages are left out with a sentence that says so.
 * @see https://llmstxt.org
 */
export function buildLlmsText({ site, pages, markdownUrl }: LlmsTextInput): string {
  const { siteName, siteDescription } = site.index.header
  const name = cutLine(siteName || site.name, 300)
  const description = cutLine(siteDescription, 1_000)
  const about = `${description === '' ? '' : `> ${description}\n\n`}${quoteInstructions(site)}`
  const head = `# ${name}\n\n${about}## Docs\n\n`
  const tail = listApiFiles(site, markdownUrl)
  const listed = listDefaultPages(site, pages)
  const charsMax = llmsTextCharsMax - head.length - tail.length
  const lists = descriptionCharsMax
    .values()
    .map((descriptionChars) => listed.map((page) => describePage(page, markdownUrl, descriptionChars)))
  const fitting = lists.find((lines) => countChars(lines) <= charsMax)
  return head + (fitting === undefined ? dropLines(listed, markdownUrl, charsMax) : joinLines(fitting)) + tail
}

/** Every line is quoted, so that none becomes a heading or a list entry. */
function quoteInstructions({ index }: LlmsSite): string {
  const { instructions } = index.header
  if (instructions === undefined) return ''
  const lines = instructions.split('\n').map((line) => `> ${line}`.trimEnd())
  return `> ## Agent Instructions\n${lines.join('\n')}\n\n`
}

/** Only the owner's own site serves them: Docent serves pages without their source. */
function listApiFiles({ url, index }: LlmsSite, markdownUrl: string): string {
  const files = url === markdownUrl ? [] : (index.header.apiFiles ?? [])
  if (files.length === 0) return ''
  const lines = files.map((file) => {
    const name = cutLine(file.replace(/^.*\//, ''), 100).replace(/[[\]\\]/g, String.raw`\$&`)
    return `- [${name}](${url}/${encodeURI(file).replaceAll('(', '%28').replaceAll(')', '%29')})`
  })
  return `\n## OpenAPI Specs\n\n${joinLines(lines)}`
}

/**
 * Every listed page in full: title, address, description, Markdown. One page at a time, because all of them together
 * may not fit in memory.
 */
export async function* writeLlmsFullText(
  { site, pages }: LlmsTextInput,
  reader: Reader,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (const { path } of listDefaultPages(site, pages)) {
    const page = await site.index.readPage(path, reader, signal)
    if (page === null) continue
    const description = page.description === '' ? '' : `\n${page.description}\n`
    const source = pageHref(site, page.path, null)
    yield `# ${page.title}\n\nSource: ${source}\n${description}\n${makeLinksAbsolute(site, page.markdown).trim()}\n\n\n`
  }
}

/** The pages covered by `llms.txt` and `llms-full.txt`. Pages outside all versions or languages belong to each. */
export function listDefaultPages(site: Pick<LlmsSite, 'index'>, pages: readonly ListedPage[]): ListedPage[] {
  const { defaultVersion, defaultLanguage } = site.index.header
  return pages.filter(
    ({ isListed, version, language }) =>
      isListed && (version ?? defaultVersion) === defaultVersion && (language ?? defaultLanguage) === defaultLanguage,
  )
}

function describePage({ path, title, description }: ListedPage, markdownUrl: string, descriptionChars: number): string {
  const about = cutLine(description.trim().split(/\n\s*\n/)[0] ?? '', descriptionChars)
  const address = `${markdownUrl}${encodeURI(path === '/' ? '/index' : path)}.md`
  const name = cutLine(title, 300).replace(/[[\]\\]/g, String.raw`\$&`)
  return `- [${name}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})${about === '' ? '' : `: ${about}`}`
}

/** As many pages as fit without their descriptions, and how many do not. */
function dropLines(pages: readonly ListedPage[], markdownUrl: string, charsMax: number): string {
  const lines: string[] = []
  let chars = 0
  for (const page of pages) {
    const line = describePage(page, markdownUrl, 0)
    chars += line.length + 1
    if (chars > charsMax - noteCharsMax - markdownUrl.length) break
    lines.push(line)
  }
  const left = pages.length - lines.length
  return `${joinLines(lines)}\n${left} further pages are left out to keep this list short. All pages are in ${markdownUrl}/llms-full.txt\n`
}

const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const countChars = (lines: readonly string[]) => lines.reduce((chars, line) => chars + line.length + 1, 0)

/** On one line, truncated with an ellipsis to this length. */
function cutLine(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= charsMax) return line
  if (charsMax === 0) return ''
  return `${line
    .slice(0, charsMax - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
