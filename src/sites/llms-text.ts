import type { IndexedPage, Reader } from '../search/search-query.ts'
import type { LiveSite } from './live-sites.ts'
import { pageHref } from './site-url.ts'

/** `llms.txt` is read whole by language models, so it must stay small. */
const llmsTextCharsMax = 100_000
const descriptionCharsMax = 300

type ListedPage = Omit<IndexedPage, 'markdown'>

/**
 * The site as `llms.txt`: its name, what it is about, and a link to the Markdown of each listed page of the default
 * version and language, in navigation order.
 *
 * @see https://llmstxt.org
 */
export function buildLlmsText(site: LiveSite, pages: readonly ListedPage[]): string {
  const { siteName, siteDescription } = site.index.header
  const head = [`# ${siteName || site.name}`, ...(siteDescription ? [`> ${oneLine(siteDescription)}`] : []), '## Docs']
  const lines: string[] = []
  let chars = head.join('\n\n').length
  const listed = listPublicPages(site, pages)
  for (const page of listed) {
    const line = describePage(site, page)
    chars += line.length + 1
    if (chars > llmsTextCharsMax - 200) {
      lines.push(`- and ${listed.length - lines.length} further pages: see ${site.url}/llms-full.txt`)
      break
    }
    lines.push(line)
  }
  return `${head.join('\n\n')}\n\n${lines.join('\n')}\n`
}

/** Every listed page in full: title, address, description, Markdown. */
export async function buildLlmsFullText(site: LiveSite, reader: Reader): Promise<string> {
  const listed = listPublicPages(site, await site.index.listPages(reader))
  const pages = await Promise.all(listed.map(({ path }) => site.index.readPage(path, reader)))
  return pages
    .filter((page) => page !== null)
    .map((page) => {
      const description = page.description === '' ? '' : `\n${page.description}\n`
      return `# ${page.title}\n\nSource: ${pageHref(site, page.path, null)}\n${description}\n${page.markdown.trim()}\n`
    })
    .join('\n\n')
}

function listPublicPages(site: LiveSite, pages: readonly ListedPage[]): ListedPage[] {
  const { defaultVersion, defaultLanguage } = site.index.header
  return pages.filter(
    ({ isListed, version, language }) =>
      isListed && (version ?? defaultVersion) === defaultVersion && (language ?? defaultLanguage) === defaultLanguage,
  )
}

function describePage(site: LiveSite, page: ListedPage): string {
  const description = oneLine(page.description.split(/\n\s*\n/)[0] ?? '').slice(0, descriptionCharsMax)
  const href = `${pageHref(site, page.path === '/' ? '/index' : page.path, null)}.md`
  return `- [${page.title}](${href})${description === '' ? '' : `: ${description}`}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
