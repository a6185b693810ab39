import type { SiteCheck } from '../../contract/site-check.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import { createFenceTracker } from '../markdown/code-fence.ts'
import { listRootLinks } from '../markdown/map-root-links.ts'
import type { SitePage } from '../site-page.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile } from '../trees/source-path.ts'
import type { SiteLinks } from './site-links.ts'

/** More findings of one kind hide the others. */
const reportedMax = 50
/** Where most of at least so many links are dead, the addresses are at fault, not the links. */
const judgedMin = 20
/** Of so many dead links below a folder without pages, not each is a mistake. */
const folderMin = 5
const written =
  /\]\(\s*<?([^()\s<>]{1,2000})|^ {0,3}\[[^\]\n]{1,500}\]:[ \t]*<?([^\s<>]{1,2000})|\b(?:href|to|link)\s*[=:]\s*["']?([^"'\s{}>]{1,2000})/g

export interface DeadLink {
  page: SitePage
  /** Root-relative, with its query and anchor. */
  url: string
}

/**
 * Reports the links between a site's pages that lead nowhere. Reads only the files of pages that have such links.
 *
 * @returns How many links there are, and how many lead somewhere.
 */
export async function reportDeadLinks(
  library: SourceLibrary,
  pages: readonly SitePage[],
  { links, listLinks }: { links: SiteLinks; listLinks: (markdown: string) => readonly string[] },
): Promise<SiteCheck['links']> {
  const { dead, total } = findDeadLinks(pages, links, listLinks)
  const counts = { total, working: total - dead.length }
  const report = (message: string) => library.findings.add({ file: '', line: null, rule: 'link-dead', message })
  if (total >= judgedMin && dead.length * 2 > total) {
    report(
      `${dead.length} of the site's ${total} links lead to no page, such as ${dead[0]?.url}. Check whether the site's folder and format are right.`,
    )
    return counts
  }
  const folders = groupByMissingFolder(dead, links)
  for (const [folder, { length }] of folders)
    report(`${length} links lead below ${folder}, where the site has no page. Check whether its pages are elsewhere.`)
  const single = dead.filter(({ url }) => !folders.has(folderOf(url)))
  for (const link of single.slice(0, reportedMax)) await reportDeadLink(library, link, links)
  const rest = single.length - reportedMax
  if (rest > 0) report(`${rest} more links lead to no page. Correct those listed first; the next sync lists others.`)
  return counts
}

/** Dead links by their folder, where many lead to one that has no page: those pages are missing as a whole. */
function groupByMissingFolder(dead: readonly DeadLink[], { routes }: SiteLinks): Map<string, DeadLink[]> {
  const folders = Map.groupBy(dead, ({ url }) => folderOf(url))
  const hasPages = (folder: string) => routes.keys().some((path) => path.startsWith(`${folder}/`))
  return new Map([...folders].filter(([folder, list]) => list.length >= folderMin && !hasPages(folder)))
}

const folderOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/[^/]*\/?$/, '')

/** The links of pages that lead nowhere, each once a page, among all of them. */
export function findDeadLinks(
  pages: readonly SitePage[],
  links: SiteLinks,
  listLinks: (markdown: string) => readonly string[] = listRootLinks,
): { dead: DeadLink[]; total: number } {
  const dead = new Map<string, DeadLink>()
  let total = 0
  for (const page of pages) {
    for (const url of new Set(listLinks(page.markdown))) {
      total++
      if (!mayBeBuilt(url) && links.find(url) === null) dead.set(JSON.stringify([page.file, url]), { page, url })
    }
  }
  return { dead: [...dead.values()], total }
}

/** Downloads, images, HTML of other tools and computed addresses may be made when the site is built. */
function mayBeBuilt(url: string): boolean {
  return /[{}]|%7B/i.test(url) || /\.(?!mdx?$)[a-z][a-z0-9]{1,4}$/i.test(url.replace(/[?#].*$/, ''))
}

async function reportDeadLink(library: SourceLibrary, { page, url }: DeadLink, links: SiteLinks): Promise<void> {
  const [path = ''] = url.split(/[?#]/)
  const nearest = links.findNearest(path)
  const advice = nearest === null ? 'Correct or remove it.' : `The nearest page is ${nearest}.`
  const message = `The link to ${path.slice(0, 200)} leads to no page. ${advice}`
  library.findings.add({ file: page.file, line: await findLine(library, page, url), rule: 'link-dead', message })
}

/** The line in the page's file; null if the link comes from a snippet or is computed. */
async function findLine(library: SourceLibrary, page: SitePage, url: string): Promise<number | null> {
  const text = isPageFile(page.file) ? await readText(library, page.file) : null
  if (text === null) return null
  const isCode = createFenceTracker()
  const index = text.split('\n').findIndex((line) => !isCode(line) && leadsTo(library, page, line, url))
  return index === -1 ? null : index + 1
}

function leadsTo({ dialect }: SourceLibrary, page: SitePage, line: string, url: string): boolean {
  return [...line.matchAll(written)].some(([, inline, definition, attribute]) => {
    return dialect.resolveLink(inline ?? definition ?? attribute ?? '', page) === url
  })
}
