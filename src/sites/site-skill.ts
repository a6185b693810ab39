import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { FindingList } from '../content/finding-list.ts'
import { splitBlocks } from '../content/markdown/markdown-blocks.ts'
import { readFrontmatterFields, splitFrontmatter } from '../content/markdown/read-frontmatter.ts'
import { cutText } from '../contract/cut-text.ts'
import type { ListedPage } from '../search/search-query.ts'
import type { LiveSite } from './live-sites.ts'
import { listDefaultPages } from './agent-files/published-site.ts'
import { pageHref } from './site-url.ts'

/** What the site teaches other people's agents: one `SKILL.md`. */
export interface SiteSkill {
  /** At most 64 of a-z, 0-9 and hyphens. */
  name: string
  /** When to use it: at most 1,024 characters. */
  description: string
  text: string
  /** `sha256:` and the hex digest of the text in UTF-8. */
  digest: string
}

export interface SiteSkillInput {
  site: Pick<LiveSite, 'slug' | 'name' | 'url' | 'guidance'> & { index: Pick<LiveSite['index'], 'header' | 'readPage'> }
  /** Pages that everybody may read, in navigation order. */
  pages: readonly ListedPage[]
  /** Base URL of the pages' Markdown and of `llms.txt`, without a trailing slash. */
  markdownUrl: string
  mcpUrl: string
}

const descriptionCharsMax = 1_024
const sectionsMax = 24
const samplePagesMax = 8
const sampleCharsMax = 1_500
const validName = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const anybody = { readerGroups: [], isSignedIn: false }

/**
 * Writes the skill of a site: the owner's file if there is one, or else what the pages say: what they cover, how to look
 * it up, and their first commands and code. The same input gives the same bytes.
 */
export async function writeSiteSkill(input: SiteSkillInput, signal?: AbortSignal): Promise<SiteSkill> {
  const own = readOwnSkill(input)
  if (own !== null) return digest(own)
  const body = [describeSite(input), describeLookup(input), await quoteSamples(input, signal)]
  return digest(assemble(nameOf(input), describe(input), body.filter((part) => part !== '').join('\n\n')))
}

/** A file without a usable name or description gets ours. */
function readOwnSkill(input: SiteSkillInput): Omit<SiteSkill, 'digest'> | null {
  const source = input.site.guidance.skill
  if (source === '') return null
  const { yaml, body } = splitFrontmatter(source)
  const fields = yaml === null ? {} : readFrontmatterFields(yaml, 'skill.md', new FindingList())
  const { name, description } = fields
  const isNamed = typeof name === 'string' && validName.test(name)
  const isDescribed =
    typeof description === 'string' && description.length > 0 && description.length <= descriptionCharsMax
  if (isNamed && isDescribed) return { name, description, text: source }
  return assemble(isNamed ? name : nameOf(input), isDescribed ? description : describe(input), body.trim())
}

function assemble(name: string, description: string, body: string): Omit<SiteSkill, 'digest'> {
  return { name, description, text: `---\n${stringify({ name, description }, { lineWidth: 0 })}---\n\n${body}\n` }
}

function digest(skill: Omit<SiteSkill, 'digest'>): SiteSkill {
  return { ...skill, digest: `sha256:${createHash('sha256').update(skill.text).digest('hex')}` }
}

function nameOf({ site: { slug } }: SiteSkillInput): string {
  return validName.test(slug)
    ? slug
    : slug
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 64) || 'docs'
}

function titleOf({ site }: SiteSkillInput): string {
  return onOneLine(site.index.header.siteName || site.name, 200)
}

function describe(input: SiteSkillInput): string {
  const covered = listSections(input)
    .map(({ name }) => name)
    .join(', ')
  const about = onOneLine(input.site.index.header.siteDescription, 300)
  const parts = [
    `Looks up ${titleOf(input)} in its documentation.`,
    about === '' || /[.!?]$/.test(about) ? about : `${about}.`,
    `Use it for questions, code and configuration that involve ${titleOf(input)}.`,
    covered === '' ? '' : `Covers ${covered}.`,
  ]
  return onOneLine(parts.filter((part) => part !== '').join(' '), descriptionCharsMax)
}

function describeSite(input: SiteSkillInput): string {
  const { siteDescription, instructions = '' } = input.site.index.header
  const sections = listSections(input).map(({ name, pages, first }) => {
    const count = pages === 1 ? '1 page' : `${pages} pages`
    return `- ${name}: ${count}, beginning with [${onOneLine(first.title, 200)}](${markdownOf(input, first.path)})`
  })
  const parts = [
    `# ${titleOf(input)}`,
    onOneLine(siteDescription, 1_000),
    instructions.trim(),
    sections.length === 0 ? '' : `## What the documentation covers\n\n${sections.join('\n')}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** By the outermost group of the navigation. */
function listSections({ site, pages }: SiteSkillInput) {
  const sections = new Map<string, { name: string; pages: number; first: ListedPage }>()
  for (const page of listDefaultPages({ site, pages })) {
    const name = onOneLine(page.section[0] ?? '', 80)
    const known = sections.get(name)
    if (known !== undefined) known.pages++
    else if (name !== '' && sections.size < sectionsMax) sections.set(name, { name, pages: 1, first: page })
  }
  return [...sections.values()]
}

function describeLookup({ markdownUrl, mcpUrl }: SiteSkillInput): string {
  return `## How to look something up

- Every page has a Markdown form: add \`.md\` to its address. The list of all pages is ${markdownUrl}/llms.txt
- The MCP server ${mcpUrl} has the tools \`search\`, \`ask\`, \`read_page\`, \`list_pages\` and \`submit_feedback\`. Public pages need no key.
- Do not guess addresses: take them from the list, a search or a link.
- Cite the page that a statement rests on. If the pages do not hold the answer, say so, and report the gap with \`submit_feedback\`.`
}

function markdownOf({ markdownUrl }: SiteSkillInput, path: string): string {
  return `${markdownUrl}${encodeURI(path === '/' ? '/index' : path)}.md`
}

const startPath =
  /(?:^\/$|(?:^|[/-])(?:install(?:ation|ing)?|quick-?start|getting-started|start|introduction|setup)(?:[/-]|$))/i
const shell = /^(?:ba|z|fi)?sh(?:ell(?:script|session)?)?$|^(?:console|terminal|powershell|cmd)$/i
const noCode = /^(?:|text|txt|mermaid|diff|json|ya?ml|toml|ini|output|log|md|mdx|markdown)$/i

/** The first command and the first code of the pages that people begin with. */
async function quoteSamples(input: SiteSkillInput, signal: AbortSignal | undefined): Promise<string> {
  const { site, pages } = input
  const candidates = listDefaultPages({ site, pages }).filter(({ path }) => startPath.test(path))
  const found = new Map<'Commands' | 'Code', string>()
  for (const { path } of candidates.slice(0, samplePagesMax)) {
    const page = await site.index.readPage(path, anybody, signal)
    for (const { language, text } of page === null ? [] : listFences(page.markdown)) {
      const kind = shell.test(language) ? 'Commands' : 'Code'
      if (found.has(kind) || noCode.test(language) || text.length > sampleCharsMax) continue
      found.set(
        kind,
        `### ${kind}\n\n${text}\n\nFrom [${onOneLine(page?.title ?? '', 200)}](${pageHref(site, path, null)}).`,
      )
    }
  }
  const quoted = (['Commands', 'Code'] as const).flatMap((kind) => found.get(kind) ?? [])
  return quoted.length === 0 ? '' : ['## How to begin', ...quoted].join('\n\n')
}

function listFences(markdown: string) {
  return splitBlocks(markdown).flatMap(({ kind, text }) => {
    // Fences within lists and quotes would need their marks removed.
    const language = kind === 'fence' ? /^(?:`{3,}|~{3,})[ \t]*([\w+#-]*)/.exec(text)?.[1] : undefined
    return language === undefined ? [] : [{ language, text }]
  })
}

function onOneLine(text: string, charsMax: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), charsMax)
}
