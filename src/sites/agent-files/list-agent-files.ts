import type { Redirect } from '../../content/links/redirect.ts'
import type { AgentFileList } from '../../contract/operations/sites.ts'
import type { SearchIndex } from '../../search/search-query.ts'
import { type AgentAddresses, describeSkills } from '../agent-catalog.ts'
import type { LiveSite } from '../live-sites.ts'
import { writeSiteSkill } from '../site-skill.ts'
import { buildFeed } from './changes.ts'
import { buildLlmsText, buildSectionText, listSectionFiles, writeLlmsFullText } from './llms-text.ts'
import { buildOpenSearch } from './open-search.ts'
import { writeRobots } from './origin-files.ts'
import { partUrl, writePageMarkdown } from './page-markdown.ts'
import type { PublishedSite } from './published-site.ts'
import { buildSitemap, buildSitemapMarkdown } from './sitemap.ts'

/** Per reply: a long page is several files. */
const pagesPerReply = 50

export interface AgentFilesInput extends PublishedSite {
  site: LiveSite
  reader: Parameters<SearchIndex['listRedirects']>[0]
  addresses: AgentAddresses
  contentSignals: string
}

/**
 * The files for programs of a site that is served elsewhere, to copy there: those of the whole site first, then pages.
 *
 * @param from Number of pages that were listed before; null for the beginning.
 */
export async function listAgentFiles(
  input: AgentFilesInput,
  from: number | null,
  signal: AbortSignal,
): Promise<AgentFileList> {
  const { pages } = input
  const start = from ?? 0
  const some = pages.slice(start, start + pagesPerReply)
  const items = from === null ? await listSiteFiles(input, signal) : []
  for (const { path } of some) {
    const page = await input.site.index.readPage(path, input.reader, signal)
    if (page === null || page.path !== path) continue
    for (const [at, content] of writePageMarkdown(input, page).entries()) {
      const url = partUrl({ filesUrl: '' }, path, at + 1)
      items.push({ path: decodeURIComponent(url.slice(1)), content, continues: false })
    }
  }
  const texts: string[] = []
  for await (const text of writeLlmsFullText({ ...input, pages: some }, input.reader, signal)) texts.push(text)
  // Each reply begins with the head of the file, which it has only once.
  const content = texts.slice(start === 0 ? 0 : 1).join('')
  items.push({ path: 'llms-full.txt', content, continues: start > 0 })
  const next = start + some.length
  return { items, nextCursor: next < pages.length ? String(next) : null }
}

async function listSiteFiles(input: AgentFilesInput, signal: AbortSignal): Promise<AgentFileList['items']> {
  const { site, pages, filesUrl, reader, addresses, contentSignals } = input
  const skill = await writeSiteSkill({ site, pages, markdownUrl: filesUrl, mcpUrl: addresses.mcpUrl }, signal)
  const redirects = (await site.index.listRedirects(reader, signal)).flatMap(writeRedirect)
  const skills = '.well-known/agent-skills'
  const files: [path: string, content: string | null][] = [
    ['llms.txt', buildLlmsText(input)],
    ...listSectionFiles(input).map((name): [string, string | null] => [
      `llms/${name}.txt`,
      buildSectionText(input, name),
    ]),
    ['sitemap.xml', buildSitemap(input)],
    ['feed.xml', buildFeed(input)],
    ['sitemap.md', buildSitemapMarkdown(input)],
    ['robots.txt', writeRobots({ contentSignals, sitemaps: [`${filesUrl}/sitemap.xml`] })],
    // Static hosts cannot search.
    ['opensearch.xml', buildOpenSearch({ ...input, filesUrl: addresses.filesUrl })],
    ['skill.md', skill.text],
    [`${skills}/index.json`, JSON.stringify(describeSkills(skill))],
    [`${skills}/${skill.name}/SKILL.md`, skill.text],
    ['_redirects', redirects.length === 0 ? null : redirects.join('')],
  ]
  return files.flatMap(([path, content]) => (content === null ? [] : [{ path, content, continues: false }]))
}

const restOfPath = /\/(?::([a-z]\w*))?(?:\*|\(\.\*\))$/i

/** A line as static hosts read it: one `*` at the end of the source, and `:splat` for it in the destination. */
export function writeRedirect({ source, destination }: Redirect): string[] {
  const name = restOfPath.exec(source)?.[1]
  const from = source.replace(restOfPath, '/*')
  const unnamed = destination.replace(/\*$|\$1/, ':splat')
  const to = name === undefined ? unnamed : destination.replace(`:${name}*`, ':splat').replace(`:${name}`, ':splat')
  // What hosts cannot express, and what would be two lines.
  return /[\s#()[\]?+\\]|\*(?!$)/.test(from) || /\s/.test(to) ? [] : [`${from} ${to} 308\n`]
}
