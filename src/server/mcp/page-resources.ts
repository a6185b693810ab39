import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { makeLinksAbsolute } from '../../sites/site-url.ts'
import type { McpCall } from './mcp-tool.ts'

const pagesPerList = 100
const mimeType = 'text/markdown'

/** Of our own scheme, because clients would fetch an `https:` address themselves, without the reader's key. */
function pageUri(site: Pick<LiveSite, 'slug'>, path: string): string {
  return `docs://${site.slug}${encodeURI(path)}`
}

export function describePageResource(
  site: Pick<LiveSite, 'slug'>,
  { path, title, description }: Pick<IndexedPage, 'path' | 'title' | 'description'>,
): Resource {
  return { uri: pageUri(site, path), name: path, title, description: description || title, mimeType }
}

/**
 * Offers the pages that the reader may see as resources: listed, by a template, and completed by path.
 *
 * @param guard Runs what reads the index, and passes on what refuses it.
 */
export function addPageResources(
  server: McpServer,
  call: McpCall,
  guard: <Result>(work: () => Promise<Result>) => Promise<Result>,
): void {
  const { site } = call
  const template = new ResourceTemplate(`docs://${site.slug}{+path}`, {
    list: undefined,
    complete: { path: (value) => guard(() => completePath(call, value)) },
  })
  const metadata = { title: 'A page', description: 'A page of the documentation as Markdown.', mimeType }
  server.registerResource('page', template, metadata, (uri) => guard(() => readPageResource(call, uri)))
}

async function readPageResource(call: McpCall, uri: URL) {
  const { site, reader, signal } = call
  const path = decodePath(uri.pathname)
  const page = path === null ? null : await site.index.readPage(path, reader, signal)
  call.recordVisit('read', page?.path ?? path ?? '', page === null)
  if (page === null) throw new ResourceNotFoundError(uri.href)
  await call.consumeUse()
  return { contents: [{ uri: uri.href, mimeType, text: makeLinksAbsolute(site, page.markdown) }] }
}

/** @returns Null if it is not encoded UTF-8. */
function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** Matches at the beginning come first. */
async function completePath(call: McpCall, value: string): Promise<string[]> {
  await call.consumeUse()
  const paths = (await listResourcePages(call)).map(({ path }) => path)
  const wanted = value.toLowerCase()
  const begins = paths.filter((path) => path.toLowerCase().startsWith(wanted))
  const contains = paths.filter((path) => path.toLowerCase().includes(wanted))
  return [...new Set([...begins, ...contains])]
}

/** The skill, then the pages. @throws {ProtocolError} if the cursor is not one of ours. */
export async function listResources(call: McpCall, cursor: string | undefined) {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is not known. List again without a cursor.')
  }
  const offset = Number(cursor ?? 0)
  await call.consumeUse()
  const pages = await listResourcePages(call)
  const end = offset + pagesPerList
  const resources = pages.slice(offset, end).map((page) => ({
    ...describePageResource(call.site, page),
    annotations: { audience: ['assistant' as const], priority: page.path === '/' ? 1 : 0.5 },
  }))
  const listed = offset === 0 ? [describeSkillResource(call), ...resources] : resources
  return { resources: listed, ...(end < pages.length && { nextCursor: String(end) }) }
}

function describeSkillResource({ site, skill: { name, description } }: McpCall): Resource {
  return { uri: `skill://${site.slug}/${name}/SKILL.md`, name, description, mimeType }
}

async function listResourcePages({ site, reader, signal }: McpCall) {
  return (await site.index.listPages(reader, signal)).filter(({ isListed }) => isListed)
}
