import { showImages } from '../../content/images/show-images.ts'
import { splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import { mapRootLinks } from '../../content/markdown/map-root-links.ts'
import type { IndexedPage } from '../../search/search-query.ts'
import { placeTarget } from '../site-url.ts'
import { encodePath, markdownUrl, type PublishedSite } from './published-site.ts'

/** Programs that fetch pages cut longer ones off; some of them do so at 50,000 characters. */
const partCharsMax = 45_000

/**
 * A page as Markdown for readers outside the site: where the list of all pages is, title, description, text. Links to
 * pages lead to their Markdown, all others to the site. Long pages are in several parts.
 *
 * @returns At least one part.
 */
export function writePageMarkdown(published: PublishedSite, { title, description, ...page }: IndexedPage): string[] {
  const { imagesUrl } = published
  const shown = imagesUrl === undefined ? page.markdown : showImages(page, (file) => `${imagesUrl}/${encodePath(file)}`)
  const markdown = linkToMarkdown(published, shown)
  const about = description === '' ? '' : `> ${description.replace(/\s+/g, ' ').trim()}\n\n`
  const whole = markdown.startsWith('# ') ? markdown : `# ${title}\n\n${about}${markdown}`
  const parts = splitParts(whole)
  return parts.map((text, at) => `${writeHead(published, page.path, at + 1, parts.length)}\n\n${text}`)
}

/** The address of a part of a page's Markdown, from 1. */
export function partUrl(published: Pick<PublishedSite, 'filesUrl'>, path: string, part: number): string {
  const url = markdownUrl(published, path)
  return part === 1 ? url : url.replace(/\.md$/, `.part-${part}.md`)
}

function writeHead(published: PublishedSite, path: string, part: number, parts: number): string {
  const asking = published.answersByAddress ? `\n> Ask about it: ${markdownUrl(published, path)}?ask=QUESTION` : ''
  const index = `> Index of all pages: ${published.filesUrl}/llms.txt${asking}`
  if (parts === 1) return index
  const next = part === parts ? '' : ` It continues at ${partUrl(published, path, part + 1)}`
  return `${index}\n> This is part ${part} of ${parts} of a long page.${next}`
}

const pathsByPages = new WeakMap<PublishedSite['pages'], ReadonlySet<string>>()

/** Makes a site's root-relative links absolute, and leads those to its public pages to their Markdown. */
export function linkToMarkdown(published: PublishedSite, markdown: string): string {
  const { pages, site } = published
  const paths = pathsByPages.get(pages) ?? new Set(pages.map(({ path }) => path))
  pathsByPages.set(pages, paths)
  return mapRootLinks(markdown, (target) => {
    const [, written = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
    const path = decodePath(written).replace(/(?:\/index)?(?:\.mdx?)?\/*$/, '') || '/'
    return paths.has(path) ? `${markdownUrl(published, path)}${rest}` : placeTarget(site.url, target)
  })
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** At blocks, so that no code or table is torn apart. */
function splitParts(markdown: string): string[] {
  if (markdown.length <= partCharsMax) return [markdown]
  const parts: string[] = []
  for (const { text: block } of splitBlocks(markdown)) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + block.length + 2 <= partCharsMax)
      parts[parts.length - 1] = `${last}\n\n${block}`
    else parts.push(block)
  }
  return parts
}
