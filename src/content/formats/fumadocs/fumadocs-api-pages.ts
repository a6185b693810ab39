import type { RootContent } from 'mdast'
import { parseLeniently } from '../../flatten/parse-leniently.ts'
import type { SourceLibrary } from '../../flatten/source-library.ts'
import { type LiteralValue, readLiteral, readSoleExpression } from '../../markdown/literal-value.ts'
import { inlineCode, joinBlocks } from '../../markdown/markdown-writing.ts'
import type { JsxElement } from '../../markdown/parse-markdown.ts'
import { type ApiOperation, listOf, type OpenApiDocument, textOf, toObject } from '../../openapi/openapi-document.ts'
import type { OpenApiLibrary } from '../../openapi/openapi-library.ts'
import { operationName, writeOperation } from '../../openapi/openapi-page.ts'
import { cleanDescription } from '../../openapi/openapi-schema.ts'
import type { PageFile } from '../../pages/load-page.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

export interface ApiPageContext {
  library: SourceLibrary
  specs: OpenApiLibrary
  /** The project's folder, which paths of descriptions start at. */
  root: string
  /** Paths of descriptions by the names that the project gives them. */
  inputs: ReadonlyMap<string, string>
}

interface NamedOperation {
  method: string
  path: string
}

const operationsMax = 500

/**
 * Writes the operations that the `<APIPage />` elements of a page show, from the description in the tree, else from what
 * the generator of the page left in its frontmatter.
 */
export async function writeApiPages(context: ApiPageContext, page: PageFile): Promise<string> {
  const elements = /<(?:Open)?APIPage\b/.test(page.body) ? findElements(context.library, page) : []
  const blocks: string[] = []
  for (const element of elements) blocks.push(await writeElement(context, page, element))
  return joinBlocks(blocks)
}

function findElements(library: SourceLibrary, page: PageFile): JsxElement[] {
  const found: JsxElement[] = []
  const queue: RootContent[] = [...parseLeniently(page, library).root.children]
  for (const node of queue) {
    if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      if (/^(?:Open)?APIPage$/.test(node.name ?? '')) found.push(node)
    }
    if ('children' in node) queue.push(...node.children)
  }
  return found
}

async function writeElement(context: ApiPageContext, page: PageFile, element: JsxElement): Promise<string> {
  const name = readText(readValue(element, 'document'))
  const wanted = [...listNamed(element, 'operations', 'path'), ...listNamed(element, 'webhooks', 'name')]
  const document = await openDocument(context, page, name)
  const kept = document === null ? writeStructuredData(page.fields['_openapi']) : ''
  if (kept !== '') return kept
  const operations: ApiOperation[] =
    wanted.length > 0 || document === null ? [] : [...context.specs.operations(document)]
  for (const operation of wanted) {
    const found = await context.specs.find(document === null ? [] : [document], operation.method, operation.path)
    if (found === null) reportMissing(context, page, operation, name)
    else operations.push(found)
  }
  return joinBlocks(operations.map(writeOperation))
}

async function openDocument(
  { library, specs, root, inputs }: ApiPageContext,
  page: PageFile,
  name: string,
): Promise<OpenApiDocument | null> {
  const candidates = [inputs.get(name) ?? name].flatMap((path) => [inFolder(root, path), path])
  const files = candidates.flatMap((path) => resolveSourcePath('', path) ?? [])
  const file = files.find((candidate) => library.paths.has(candidate))
  return file === undefined ? null : specs.open(file, page.file)
}

function reportMissing({ library }: ApiPageContext, page: PageFile, operation: NamedOperation, name: string): void {
  const message = `The page shows ${operationName(operation)} of ${name}, but no API description of this site has that operation. Put the description into the repository.`
  library.findings.add({ file: page.file, line: null, rule: 'openapi-operation-missing', message })
}

function readValue(element: JsxElement, name: string): LiteralValue | undefined {
  for (const attribute of element.attributes) {
    if (attribute.type !== 'mdxJsxAttribute' || attribute.name !== name) continue
    const { value } = attribute
    if (typeof value === 'string') return value
    return readLiteral(readSoleExpression(value?.data?.estree), new Map())
  }
  return undefined
}

function readText(value: LiteralValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function listNamed(element: JsxElement, attribute: 'operations' | 'webhooks', key: 'path' | 'name'): NamedOperation[] {
  const value = readValue(element, attribute)
  return (Array.isArray(value) ? value : []).slice(0, operationsMax).flatMap((entry) => {
    const path = entry instanceof Map ? readText(entry.get(key)) : ''
    const method =
      entry instanceof Map && attribute === 'operations' ? readText(entry.get('method')).toLowerCase() : 'webhook'
    return path === '' ? [] : [{ method, path }]
  })
}

/** The generator keeps the words of an operation for search: headings with ids, and texts under them. */
function writeStructuredData(value: unknown): string {
  const data = toObject(value)
  const { headings, contents } = toObject(data['structuredData'])
  const texts = listOf(contents).map(toObject)
  const textsUnder = (id: string) =>
    texts.filter(({ heading }) => textOf(heading) === id).map(({ content }) => cleanDescription(textOf(content)))
  const named = listOf(headings).map(toObject)
  const route = [textOf(data['method']).toUpperCase(), textOf(data['route'])].join(' ').trim()
  const sections = named.map(({ id, content }) => joinBlocks([`### ${textOf(content)}`, ...textsUnder(textOf(id))]))
  const blocks = [...textsUnder(''), ...sections]
  return blocks.length === 0 ? '' : joinBlocks([route === '' ? '' : `## ${inlineCode(route)}`, ...blocks])
}
