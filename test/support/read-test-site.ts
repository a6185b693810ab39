import { createMemoryTree } from '../../src/content/trees/memory-tree.ts'
import { readSite } from '../../src/content/read-site.ts'
import type { SiteContent } from '../../src/content/site-page.ts'

/** Reads a site whose files are given as text, or as values that become JSON. For tests. */
export function readTestSite(files: Readonly<Record<string, unknown>>): Promise<SiteContent> {
  const texts = Object.entries(files).map(([file, content]) => {
    return [file, typeof content === 'string' ? content : JSON.stringify(content, null, 2)] as const
  })
  return readSite(createMemoryTree(new Map(texts)))
}
