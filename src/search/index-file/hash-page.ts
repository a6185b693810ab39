import { hash } from 'node:crypto'
import type { SitePage } from '../../content/site-page.ts'

/**
 * Hashes everything of a page that its reused rows depend on. Visibility and position are excluded, because those are
 * always rewritten.
 *
 * @param chunker Names the code that splits pages into chunks.
 * @param digest May remember the digests of texts: the long ones are most of the work.
 */
export function hashPage(page: SitePage, chunker: string, digest: DigestText = digestText): Uint8Array {
  const { path, title, description, language, keywords, markdown, source } = page
  const texts = [digest(markdown), source === undefined ? null : digest(source.text)]
  const parts = JSON.stringify([chunker, path, title, description, language, keywords, ...texts])
  return hash('sha256', parts, 'buffer').subarray(0, 16)
}

/** SHA-256. */
export type DigestText = (text: string) => string

const digestText: DigestText = (text) => hash('sha256', text, 'base64url')
