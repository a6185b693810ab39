import type { FileTree } from '../content/trees/file-tree.ts'
import { type ListedPage, createListedTree, withoutFrontmatter } from '../content/formats/crawl/page-list.ts'
import { pagePathOfUrl } from '../content/formats/llms-text/split-llms-text.ts'
import type { CrawledPage } from './crawl-pages.ts'

/**
 * Turns crawled pages into a file tree for `readSite`: one Markdown file per page, at its path, and the list of pages. The
 * same pages yield the same revision.
 */
export function buildCrawlTree(pages: readonly CrawledPage[], start: URL): FileTree {
  const files = new Map<string, string>()
  const listed = new Map<string, ListedPage>()
  const languages = countLanguages(pages)
  for (const page of pages) {
    const path = pagePathOfUrl(page.url.href)
    if (listed.has(path)) continue
    const file = `pages${path === '/' ? '/index' : path}.md`
    files.set(file, withoutFrontmatter(page.markdown))
    const { title, description } = page
    listed.set(path, {
      file,
      path,
      title,
      description,
      section: [],
      language: languages.length > 1 ? page.language : null,
    })
  }
  const first = pages.find(({ url }) => pagePathOfUrl(url.href) === pagePathOfUrl(start.href))
  return createListedTree(files, {
    kind: 'crawl',
    name: first?.title ?? '',
    description: first?.description ?? '',
    language: languages.length > 1 ? (languages[0] ?? null) : null,
    pages: [...listed.values()],
  })
}

/** Languages of the pages, most common first. */
function countLanguages(pages: readonly CrawledPage[]): string[] {
  const counts = new Map<string, number>()
  for (const { language } of pages) if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language)
}
