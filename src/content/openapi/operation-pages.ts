import { dropImageMarks } from '../images/image-marks.ts'
import { buildPage, isPartOfSite } from '../pages/build-page.ts'
import { flattenPage } from '../flatten/flatten-page.ts'
import { joinBlocks } from '../markdown/markdown-writing.ts'
import { type NavigationEntry, type NavigationPlace, readOperationName } from '../pages/navigation-entry.ts'
import { type ApiOperation, type OpenApiDocument, listOf, toObject, operationTag, textOf } from './openapi-document.ts'
import type { OpenApiLibrary } from './openapi-library.ts'
import { operationName, operationPath, operationTitle, writeOperation, writeSchemaPage } from './openapi-page.ts'
import { cleanDescription } from './openapi-schema.ts'
import { readMetadata, type Frontmatter } from '../markdown/read-frontmatter.ts'
import type { SitePage } from '../site-page.ts'
import { pagePathOf } from '../trees/source-path.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'

export interface OperationPagesContext {
  library: SourceLibrary
  specs: OpenApiLibrary
  /** The file that refers to the operations. */
  configFile: string
  indexing: 'navigable' | 'all'
  requiresSignIn: boolean
}

/**
 * Makes the pages of one `METHOD /path` entry, or of a whole description. Missing operations are reported as findings.
 */
export async function readOperationPages(
  context: OperationPagesContext,
  entry: Exclude<NavigationEntry, { kind: 'page' }>,
): Promise<SitePage[]> {
  const documents = await openDocuments(context, entry)
  if (entry.kind === 'operation') {
    const operation = await context.specs.find(documents, entry.method, entry.target)
    if (operation === null) {
      const message = `The navigation refers to ${operationName({ method: entry.method, path: entry.target })}, but no API description has that operation.`
      context.library.findings.add({ file: context.configFile, line: null, rule: 'openapi-operation-missing', message })
      return []
    }
    const page = await makePage(context, operation, entry.place)
    return page === null ? [] : [page]
  }
  const pages: SitePage[] = []
  for (const operation of documents.flatMap((document) => context.specs.operations(document))) {
    const page = await makePage(context, operation, placeInGroup(entry.place, operation))
    if (page !== null) pages.push(page)
  }
  return pages
}

async function openDocuments(context: OperationPagesContext, entry: Exclude<NavigationEntry, { kind: 'page' }>) {
  const named = entry.kind === 'operation' && entry.source !== null ? [entry.source] : (entry.place.spec?.sources ?? [])
  return openAll(context, named, context.configFile)
}

async function openAll(
  context: OperationPagesContext,
  sources: readonly string[],
  namedIn: string,
): Promise<OpenApiDocument[]> {
  const documents: OpenApiDocument[] = []
  for (const source of sources) {
    const document = await context.specs.open(source, namedIn)
    if (document !== null) documents.push(document)
  }
  return documents
}

/** Groups generated pages by the operation's first tag. */
function placeInGroup(place: NavigationPlace, operation: ApiOperation): NavigationPlace {
  const name = operationTag(operation)
  if (name === '') return place
  const tag = listOf(operation.document.root['tags'])
    .map(toObject)
    .find((candidate) => candidate['name'] === name)
  return { ...place, section: [...place.section, textOf(tag?.['x-group']) || name] }
}

async function makePage(
  context: OperationPagesContext,
  operation: ApiOperation,
  place: NavigationPlace,
): Promise<SitePage | null> {
  const { file } = operation.document
  const extension = toObject(operation.value['x-mint'])
  const frontmatter = readMetadata(toObject(extension['metadata']), file, context.library.findings)
  if (operation.value['x-hidden'] === true) frontmatter.hidden = true
  const { indexing, requiresSignIn } = context
  const settings = { place, frontmatter, isInNavigation: true, indexing, requiresSignIn }
  if (!isPartOfSite(settings)) return null
  const href = textOf(extension['href'])
  const path =
    href.startsWith('/') && !href.startsWith('//')
      ? pagePathOf(href.slice(1))
      : operationPath(operation, place.spec?.directory ?? 'api-reference')
  const content = textOf(extension['content'])
  const intro =
    content === ''
      ? ''
      : dropImageMarks(await flattenPage(context.library, { file: `${file}.mdx`, path, body: content, bodyLine: 0 }))
  const title = frontmatter.title ?? operationTitle(operation)
  const description = frontmatter.description ?? firstParagraph(textOf(operation.value['description']))
  const markdown = joinBlocks([intro, writeOperation(operation)])
  return buildPage({ path, file, title, description, markdown, order: 0, apiFile: file }, settings)
}

function firstParagraph(text: string): string {
  return (cleanDescription(text).split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ')
}

export interface FrontmatterOperation {
  markdown: string
  title: string | null
  description: string
  /** The description that contains it. */
  apiFile: string | null
}

/**
 * Writes what a page's frontmatter refers to in an API description: `openapi: [file] METHOD /path`, `openapi-schema:
 * [file] Name` or `api: METHOD address`. Empty if there is no such field.
 */
export async function readFrontmatterOperation(
  context: OperationPagesContext,
  page: { file: string; frontmatter: Frontmatter; place: NavigationPlace },
): Promise<FrontmatterOperation> {
  const { file, frontmatter, place } = page
  const nothing = { markdown: '', title: null, description: '', apiFile: null }
  const inherited = () => openAll(context, place.spec?.sources ?? [], context.configFile)
  const report = (message: string) => {
    context.library.findings.add({ file, line: null, rule: 'openapi-operation-missing', message })
    return nothing
  }
  if (frontmatter.openapi !== undefined) {
    const named = readOperationName(frontmatter.openapi)
    if (named === null) return report(`openapi: ${frontmatter.openapi} does not have the form \`METHOD /path\`.`)
    const documents = named.source === null ? await inherited() : await openAll(context, [named.source], file)
    const isUnread = named.source !== null && documents.length === 0
    const operation = isUnread ? null : await context.specs.find(documents, named.method, named.target)
    if (operation === null) return report(`No API description has the operation ${frontmatter.openapi}.`)
    const { value } = operation
    return {
      markdown: writeOperation(operation),
      title: operationTitle(operation),
      description: firstParagraph(textOf(value['description'])),
      apiFile: operation.document.file,
    }
  }
  if (frontmatter['openapi-schema'] !== undefined) {
    const [name = '', source] = frontmatter['openapi-schema'].split(/\s+/).reverse()
    const documents = source === undefined ? await inherited() : await openAll(context, [source], file)
    for (const document of documents.length > 0 ? documents : await context.specs.all()) {
      const markdown = writeSchemaPage(document, name)
      if (markdown !== null) return { ...nothing, markdown, title: name, apiFile: document.file }
    }
    return report(`No API description has the schema ${name}.`)
  }
  return frontmatter.api === undefined
    ? nothing
    : { ...nothing, markdown: `\`${frontmatter.api.replaceAll('`', '')}\`` }
}
