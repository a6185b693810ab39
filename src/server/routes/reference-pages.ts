import { AppError } from '../../contract/app-error.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { pageHeaders } from '../pages/page-headers.ts'
import { listReferencePages, type ReferencePage, renderReferencePage } from '../pages/reference-page.ts'

/**
 * Serves this server's reference under its own URL. The pages of the site `docs` say the same, but an installation may
 * remove that site or give it another source.
 *
 * @param readDocument Returns the OpenAPI document, which is complete once all routes are added.
 */
export function addReferencePages(app: DocentServer, readDocument: () => object): void {
  const renderer = new MarkdownRenderer()
  let listed: ReadonlyMap<string, ReferencePage> | undefined
  const listPages = () =>
    (listed ??= new Map(listReferencePages({ ...readDocument() }).map((page) => [page.path, page] as const)))
  const send = async (c: AppContext) => {
    const pages = listPages()
    const page = pages.get(c.req.path)
    if (page === undefined)
      throw new AppError('page_not_found', 'There is no such page. The reference begins at /reference.')
    const outcome = await renderer.render({ markdown: page.markdown, base: '' })
    if (outcome.kind !== 'rendered') throw new AppError('overloaded', 'Too many pages are being rendered. Try again.')
    const html = await renderReferencePage([...pages.values()], page, outcome)
    return c.html(html, 200, { ...pageHeaders, 'Cache-Control': 'public, max-age=300' })
  }
  app.get('/reference', send)
  app.get('/reference/:path{.+}', send)
}
