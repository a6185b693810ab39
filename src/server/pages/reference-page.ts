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
import { assetPath } from './asset-path.ts'
import { renderFrame } from './page-frame.ts'
import type { PageText } from './text/render-markdown.ts'
import { renderThemeSwitch, themeScript } from './theme-script.ts'
import { english } from './words/english.ts'

/** A page of the reference: the overview or an operation. */
export interface ReferencePage {
  path: string
  title: string
  /** Its group in the navigation; empty for the overview. */
  tag: string
  markdown: string
}

/** The API reference of this server: an overview and a page per operation, written like those of any site. */
export function listReferencePages(root: ApiObject): ReferencePage[] {
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

export function renderReferencePage(pages: readonly ReferencePage[], current: ReferencePage, text: PageText) {
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
