import { hash } from 'node:crypto'
import type { SitePage } from '../../content/site-page.ts'

/**
 * Hashes everything of a page that its reused rows depend on. Visibility and position are excluded, because those are
 * always rewritten.
 *
 * @param chunker Names the code that splits pages into chunks.
 */
export function hashPage(page: SitePage, chunker: string): Uint8Array {
  const parts: (string | null)[] = [chunker, page.path, page.title, page.description, page.language, page.markdown]
  parts.push(page.source?.text ?? null, String(page.keywords.length), ...page.keywords)
  // Length prefixes delimit the texts at a fraction of the cost of JSON.
  const lengths = parts.map((part) => (part === null ? '-' : part.length)).join()
  return hash('sha256', `${lengths}\n${parts.join('')}`, 'buffer').subarray(0, 16)
}
