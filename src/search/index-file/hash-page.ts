import { hash } from 'node:crypto'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'

/**
 * Hashes everything of a page that its reused rows depend on. Visibility and position are excluded, because those are
 * always rewritten.
 */
export function hashPage(page: SitePage, chunks: readonly Chunk[]): Uint8Array {
  const parts: (string | null)[] = [page.path, page.title, page.description, page.language, page.markdown]
  parts.push(page.source?.text ?? null, String(page.keywords.length), ...page.keywords)
  for (const { ordinal, anchor, headings, text } of chunks) {
    parts.push(String(ordinal), anchor, String(headings.length), ...headings, text)
  }
  // Length prefixes delimit the texts at a fraction of the cost of JSON.
  const lengths = parts.map((part) => (part === null ? '-' : part.length)).join()
  return hash('sha256', `${lengths}\n${parts.join('')}`, 'buffer').subarray(0, 16)
}
