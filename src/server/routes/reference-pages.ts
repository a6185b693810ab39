import { AppError } from '../../contract/app-error.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { pageHeaders } from '../pages/page-headers.ts'
import { html, raw } from 'hono/html'
import {
  type ApiObject,
  type ApiOperation,
  listOf,
  listOperations,
  toObject,
  operationTag,
  textOf,
} from '../../content/openapi/openapi-document.ts'
import { operationName, operationPath, operationTitle, writeOperation } from '../../content/openapi/openapi-page.ts'
import { assetPath } from '../pages/asset-path.ts'
import { renderFrame } from '../pages/page-frame.ts'
import type { PageText } from '../pages/text/render-markdown.ts'
import { renderThemeSwitch, themeScript } from '../pages/theme-script.ts'
import { english } from '../pages/words/english.ts'

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

/** A page of the reference: the overview or an operation. */
interface ReferencePage {
  path: string
  title: string
  /** Its group in the navigation; empty for the overview. */
  tag: string
  markdown: string
}

/** The API reference of this server: an overview and a page per operation, written like those of any site. */
function listReferencePages(root: ApiObject): ReferencePage[] {
  const operations = listOperations({ file: 'openapi.json', root }).map((operation) => ({
    path: operationPath(operation, 'reference'),
    title: operationTitle(operation),
    tag: operationTag(operation),
    markdown: writeOperation(operation),
    operation,
  }))
  const overview = { path: '/reference', title: 'API reference', tag: '', markdown: writeOverview(root, operations) }
  return [overview, ...operations]
}

function writeOverview(root: ApiObject, operations: readonly (ReferencePage & { operation: ApiOperation })[]): string {
  const info = toObject(root['info'])
  const tags = new Map(listOf(root['tags']).map((tag) => [toObject(tag)['name'], textOf(toObject(tag)['description'])]))
  const groups = [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, members]) => {
    const rows = members.map(
      ({ title, path, operation }) => `| [${title}](${path}) | \`${operationName(operation)}\` |`,
    )
    return `## ${tag}\n\n${tags.get(tag) ?? ''}\n\n| Operation | Method and path |\n| --- | --- |\n${rows.join('\n')}`
  })
  const version = `Version ${textOf(info['version'])}. Programs read the [OpenAPI document](/openapi.json).`
  return [textOf(info['description']), version, ...groups].join('\n\n')
}

function renderReferencePage(pages: readonly ReferencePage[], current: ReferencePage, text: PageText) {
  const groups = Map.groupBy(pages, ({ tag }) => tag)
  return renderFrame({
    language: 'en',
    title: `${current.title} · Docent API reference`,
    description: '',
    header: html`<a class="name" href="/">Docent</a><span class="place">API reference</span>
      <div class="end">${renderThemeSwitch(english)}</div>`,
    head: themeScript,
    scripts: html`<script type="module" src="${assetPath('site.js')}"></script>`,
    navigationLabel: 'Operations',
    navigation: [...groups].map(
      ([tag, members]) =>
        html`${tag === '' ? '' : html`<h2>${tag}</h2>`}
          <ul>
            ${members.map(
              ({ path, title }) =>
                html`<li>
                  <a href="${path}" ${path === current.path ? raw('aria-current="page"') : ''}>${title}</a>
                </li>`,
            )}
          </ul>`,
    ),
    main: html`<h1>${current.title}</h1>
      ${raw(text.html)}`,
  })
}
