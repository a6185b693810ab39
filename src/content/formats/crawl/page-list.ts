import { z } from 'zod'
import type { FileTree } from '../../trees/file-tree.ts'
import { createMemoryTree } from '../../trees/memory-tree.ts'
import { parseJson } from '../../site-config/parse-json.ts'
import type { SiteReading } from '../../site-reading.ts'
import { readText } from '../../trees/read-text.ts'

/** Lists the page files of a tree assembled from a published site. */
export const pageListFile = 'docent-pages.json'

const listedPageSchema = z.object({
  file: z.string().max(2000),
  /** As `SitePage.path`. */
  path: z.string().max(2000).startsWith('/'),
  title: z.string().max(2000),
  description: z.string().max(10_000),
  section: z.array(z.string().max(500)).max(20),
  language: z.string().max(50).nullable(),
})

const pageListSchema = z.object({
  kind: z.enum(['crawl', 'llms-txt']),
  name: z.string().max(2000),
  description: z.string().max(10_000),
  language: z.string().max(50).nullable(),
  /** In site order. */
  pages: z.array(listedPageSchema).max(100_000),
})

export type ListedPage = z.output<typeof listedPageSchema>
export type PageList = z.output<typeof pageListSchema>

const listBytesMax = 64 * 1024 * 1024

/** Reads the list of a tree; null, with a finding, if that fails. */
export async function readPageList({ tree, findings }: SiteReading): Promise<PageList | null> {
  const text = await readText({ tree, findings }, pageListFile, listBytesMax)
  const parsed = pageListSchema.safeParse(text === null ? undefined : parseJson(text, pageListFile, findings))
  if (parsed.success) return parsed.data
  const message = 'The list of pages was not written by a crawl. Crawl the site again.'
  findings.add({ file: pageListFile, line: null, rule: 'config-invalid', message })
  return null
}

/** Protects Markdown that starts with a horizontal rule from being read as frontmatter. */
export function withoutFrontmatter(markdown: string): string {
  return `---\n---\n${markdown}`
}

/** Makes a tree of page files and the list of their addresses. */
export function createListedTree(files: ReadonlyMap<string, string>, list: PageList): FileTree {
  return createMemoryTree(new Map([...files, [pageListFile, JSON.stringify(list)]]))
}
