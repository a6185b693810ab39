import { z } from 'zod'
import type { FileTree } from '../../trees/file-tree.ts'
import { createMemoryTree } from '../../trees/memory-tree.ts'
import { parseJson } from '../../site-config/parse-json.ts'
import type { SiteReading } from '../../site-reading.ts'
import { readText } from '../../trees/read-text.ts'

/** The file of a tree that was put together from a published site: it says which of the others is which page. */
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
  /** In the order of the site. */
  pages: z.array(listedPageSchema).max(100_000),
})

export type ListedPage = z.output<typeof listedPageSchema>
export type PageList = z.output<typeof pageListSchema>

const listBytesMax = 64 * 1024 * 1024

/** The list of a tree; null, with a finding, when it cannot be read. */
export async function readPageList({ tree, findings }: SiteReading): Promise<PageList | null> {
  const text = await readText({ tree, findings }, pageListFile, listBytesMax)
  const parsed = pageListSchema.safeParse(text === null ? undefined : parseJson(text, pageListFile, findings))
  if (parsed.success) return parsed.data
  const message = 'The list of pages is not as a crawl writes it. Crawl the site again.'
  findings.add({ file: pageListFile, line: null, rule: 'config-invalid', message })
  return null
}

/** Text of a page that has no frontmatter, written so that a rule at its beginning is not taken for one. */
export function withoutFrontmatter(markdown: string): string {
  return `---\n---\n${markdown}`
}

/** A tree of page files with the list that says which is which. */
export function createListedTree(files: ReadonlyMap<string, string>, list: PageList): FileTree {
  return createMemoryTree(new Map([...files, [pageListFile, JSON.stringify(list)]]))
}
