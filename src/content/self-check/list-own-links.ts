import { listRootLinks } from '../markdown/map-root-links.ts'
import { createFenceTracker } from '../markdown/code-fence.ts'

const attribute = /\b(?:href|to|link)\s*[=:]\s*["'](\/(?!\/)[^"'\s{}>]{0,2000})["']/g
const linksMax = 2000

/**
 * Lists the links that a page's source writes from the root of its host, such as `/guides/x#y`, also as full addresses
 * of the site's own host. Their addresses are the author's, whatever files the site consists of. Pure.
 *
 * @param origin Of the site; null if unknown.
 */
export function listOwnLinks(body: string, origin: string | null): string[] {
  const text = origin === null ? body : body.replaceAll(`${origin}/`, '/')
  const found = new Set(listRootLinks(text))
  if (/[=:]\s*["']\//.test(text)) {
    const isCode = createFenceTracker()
    for (const line of text.split('\n')) {
      if (isCode(line)) continue
      for (const [, url = ''] of line.slice(0, 10_000).matchAll(attribute)) found.add(url)
    }
  }
  return [...found].slice(0, linksMax)
}
