import { slug } from 'github-slugger'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import { splitFrontmatter } from '../../markdown/read-frontmatter.ts'
import { joinRoute, pathOfUrl } from '../../routes/routed-page.ts'

/** A page of `llms-full.txt`. */
export interface LlmsPage {
  /** The address as written; null if the path is derived from the title. */
  url: string | null
  path: string
  title: string
  description: string
  markdown: string
}

/** A page that `llms.txt` links to. */
export interface LlmsLink {
  url: string
  title: string
  description: string
  section: string[]
}

export interface LlmsIndex {
  name: string
  description: string
  links: LlmsLink[]
}

const pagesMax = 50_000

/** Parses `llms.txt`: name, description, and links by section. @see https://llmstxt.org */
export function readLlmsIndex(text: string): LlmsIndex {
  const index: LlmsIndex = { name: '', description: '', links: [] }
  let section: string[] = []
  for (const line of text.split('\n')) {
    const heading = /^## +(.+)$/.exec(line)?.[1]
    const [, title, url = '', description = ''] =
      /^[ \t]*[-*] +\[([^\]\n]{1,500})\]\(<?([^()\s<>]{1,2000})>?\)(?::[ \t]*(.{0,2000}))?/.exec(line) ?? []
    if (heading !== undefined) section = [heading.trim()]
    else if (title !== undefined && index.links.length < pagesMax)
      index.links.push({ url, title, description, section })
    else if (index.name === '' && line.startsWith('# ')) index.name = line.slice(2).trim()
    else if (index.description === '' && line.startsWith('> ')) index.description = line.slice(2).trim()
  }
  return index
}

/** The page path of an address, which may be that of its Markdown or HTML file. Pure. */
export function pagePathOfUrl(url: string): string {
  return joinRoute(
    pathOfUrl(url)
      .replace(/\.(?:mdx?|html?)$/i, '')
      .replace(/(^|\/)index$/, '$1'),
  )
}

/**
 * Splits `llms-full.txt` into pages. Sites use several layouts: a page starts with a heading and its address (`Source:`
 * or `URL:` below it, or in parentheses), with frontmatter that contains the address, or with a `<page>` or `<doc>`
 * tag. If none of these occur, every first-level heading starts a page, whose address is derived from its title.
 */
export function splitLlmsFull(text: string): LlmsPage[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const starts = findStarts(lines)
  const pages: LlmsPage[] = []
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1]?.line ?? lines.length
    const page = readPage(lines.slice(start.line, end), start)
    if (page !== null && pages.length < pagesMax) pages.push(page)
  }
  return pages
}

interface Start {
  line: number
  kind: 'source' | 'frontmatter' | 'heading'
}

const sourceLine = /^(?:Source|URL|Url|Link): *<?(https?:\/\/\S+?|\/\S*?)>?[ \t]*$/
const titledPath = /^# +(.+?) +\((\/[^\s()]*|https?:\/\/[^\s()]+)\)[ \t]*$/
const addressKey = /^(?:url|source|source_url|link|permalink|html): *\S/m

function findStarts(lines: readonly string[]): Start[] {
  const isCode = createFenceTracker()
  const found: Record<Start['kind'], Start[]> = { source: [], frontmatter: [], heading: [] }
  for (const [line, text] of lines.entries()) {
    if (isCode(text)) continue
    if (/^# +\S/.test(text)) {
      found.heading.push({ line, kind: 'heading' })
      const next = lines.slice(line + 1, line + 4)
      if (titledPath.test(text) || next.some((after) => sourceLine.test(after)))
        found.source.push({ line, kind: 'source' })
    } else if (text === '---' && addressKey.test(frontmatterAt(lines, line)))
      found.frontmatter.push({ line, kind: 'frontmatter' })
  }
  if (found.source.length > 0) return found.source
  return found.frontmatter.length > 0 ? found.frontmatter : found.heading
}

/** The lines up to the closing fence, if it is near. */
function frontmatterAt(lines: readonly string[], start: number): string {
  const end = lines.slice(start + 1, start + 40).indexOf('---')
  return end === -1 ? '' : lines.slice(start + 1, start + 1 + end).join('\n')
}

function readPage(lines: readonly string[], { kind }: Start): LlmsPage | null {
  const body = trimPage(lines)
  if (kind === 'frontmatter') return readFrontmatterPage(body)
  const [first = '', ...rest] = body
  const [, titled, address] = titledPath.exec(first) ?? []
  const sourceAt = rest.slice(0, 3).findIndex((line) => sourceLine.test(line))
  const source = sourceAt === -1 ? undefined : sourceLine.exec(rest[sourceAt] ?? '')?.[1]
  const title = titled ?? first.replace(/^# +/, '').trim()
  const url = address ?? source ?? null
  const path = pagePathOfUrl(url ?? `/${slug(title)}`)
  const inner = sourceAt === -1 ? rest : rest.toSpliced(sourceAt, 1)
  // Some sites add a line with the location of the file below the address.
  const markdown = inner
    .filter((line, index) => index > 3 || !sourceLine.test(line))
    .join('\n')
    .trim()
  return title === '' ? null : { url, path, title, description: '', markdown }
}

/** Drops trailing separators between pages: tags, rules and blank lines. */
function trimPage(lines: readonly string[]): string[] {
  const isBetween = (line: string) => /^(?:<\/?(?:page|doc|docs|document)\b[^>]*>|-{3,}|={3,}|\s*)$/.test(line)
  let end = lines.length
  while (end > 1 && isBetween(lines[end - 1] ?? '')) end--
  return lines.slice(0, end)
}

function readFrontmatterPage(lines: readonly string[]): LlmsPage | null {
  const { yaml, body } = splitFrontmatter(lines.join('\n'))
  const field = (name: string) =>
    new RegExp(`^[ \\t]*(?:${name}): *["']?(.*?)["']?[ \\t]*$`, 'm').exec(yaml ?? '')?.[1] ?? ''
  const url = field('url|source_url|source|link|permalink') || field('html')
  const heading = /^\s*# +([^\n]+)/.exec(body)
  const title = field('title') || (heading?.[1]?.trim() ?? '')
  const markdown = (heading === null ? body : body.slice(heading[0].length)).trim()
  return url === '' ? null : { url, path: pagePathOfUrl(url), title, description: field('description'), markdown }
}
