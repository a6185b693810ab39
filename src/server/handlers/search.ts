import { runCounted } from '../../access/limits/consume-limits.ts'
import { AppError } from '../../contract/app-error.ts'
import type { searchOperations } from '../../contract/operations/search.ts'
import type { Reader } from '../../search/search-query.ts'
import { toSearchResult } from '../../sites/search-result.ts'
import { makeLinksAbsolute } from '../../sites/site-url.ts'
import type { DocentServer } from '../app-env.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import { readSearchFilter } from '../resources/search-filter.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

const pageSizeDefault = 10

export function createSearchHandlers(deps: ServerDeps): Handlers<Omit<typeof searchOperations, 'callMcp'>> {
  return {
    searchSite: async ({ c, body: { query, pageSize, scoreThreshold, filter } }) => {
      const { site, reader } = c.get('readerRequest')
      const rateLimit = await consumeReaderLimits(c, deps)
      const search = {
        text: query,
        limit: pageSize ?? pageSizeDefault,
        filter: readSearchFilter(filter),
        ...(scoreThreshold == null ? {} : { scoreThreshold }),
        ...reader,
      }
      const passages = await runCounted(deps, rateLimit, c.req.raw.signal, () => site.index.search(search))
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
      return passages
        .map((passage) => toSearchResult(site, passage))
        .map((result) => ({ ...result, content: makeLinksAbsolute(site, result.content) }))
    },

    readPage: async ({ c, body: { path, groups } }) => {
      const { site, reader } = c.get('readerRequest')
      const page = await site.index.readPage(path, narrowReader(reader, groups))
      // A missing page must not count, so look it up before consuming the limit.
      if (page === null)
        throw new AppError('page_not_found', `There is no page ${path.slice(0, 200)} on this site. Check its path.`)
      const rateLimit = await consumeReaderLimits(c, deps)
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
      return { path: page.path, content: makeLinksAbsolute(site, page.markdown) }
    },
  }
}

/** Stateless, so that any replica can answer any request. Without sessions there is nothing to GET or DELETE. */
export function refuseMcpStreams(app: DocentServer): void {
  app.all('/sites/:domain/mcp', (c, next) => {
    // Let browsers through, because a site may have a page of this name; MCP clients ask for a stream.
    if ((c.req.method === 'GET' || c.req.method === 'HEAD') && /text\/html/.test(c.req.header('accept') ?? ''))
      return next()
    throw new AppError('method_not_allowed', 'This path accepts POST only: it has no sessions and no streams.', {
      headers: { Allow: 'POST' },
    })
  })
}

/** Groups named in a request can only narrow the reader's own. */
function narrowReader(reader: Reader, groups: readonly string[] | null | undefined): Reader {
  if (groups == null) return reader
  return { ...reader, readerGroups: reader.readerGroups.filter((group) => groups.includes(group)) }
}
