import type { FileTree } from '../content/trees/file-tree.ts'
import { createLlmsTree } from '../content/formats/llms-text/plan-llms-text-site.ts'
import { splitLlmsFull } from '../content/formats/llms-text/split-llms-text.ts'
import type { CrawlContext } from './crawl-context.ts'
import { resolveInScope } from './crawl-scope.ts'

/** With fewer pages the file is a stub, and the pages themselves say more. */
const pagesMin = 2

/**
 * The site as described by its `llms-full.txt`; null if there is none that gives page addresses. Only pages in scope count.
 */
export async function fetchLlmsTree(context: CrawlContext): Promise<FileTree | null> {
  const { scope, limits, fetcher } = context
  const base = new URL(`${scope.origin}${scope.prefix}/`)
  const full = await fetchText(context, new URL('llms-full.txt', base))
  if (full === null) return null
  const pages = splitLlmsFull(full)
    .filter(({ url }) => url !== null)
    .filter(({ url, path }) => {
      return resolveInScope(url ?? '', base, scope) !== null && fetcher.rules.isAllowed(path)
    })
  if (pages.length < pagesMin) return null
  if (pages.length > limits.pagesMax) {
    const message = `The site has more than ${limits.pagesMax} pages; the rest is left out. Split it by paths.`
    context.findings.add({ file: 'llms-full.txt', line: null, rule: 'crawl-limit-reached', message })
  }
  return createLlmsTree(pages.slice(0, limits.pagesMax), await fetchText(context, new URL('llms.txt', base)))
}

async function fetchText({ fetcher, scope, limits }: CrawlContext, url: URL): Promise<string | null> {
  if (!fetcher.rules.isAllowed(url.pathname)) return null
  const outcome = await fetcher.fetch(url, limits.textBytesMax, (target) => target.origin === scope.origin)
  if (outcome.kind === 'failed' || outcome.reply.status !== 200) return null
  return outcome.reply.contentType === 'text/html' ? null : outcome.reply.text
}
