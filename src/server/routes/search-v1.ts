import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { runCounted } from '../../access/take-limits.ts'
import { searchRequestSchema, searchResponseSchema } from '../../contract/search.ts'
import { toSearchResult } from '../../sites/search-result.ts'
import type { DocentServer } from '../create-server.ts'
import { reply } from '../reply.ts'
import { takeReaderLimits } from '../request-limits.ts'
import { errorResponses } from '../route-responses.ts'
import { readSearchFilter } from '../search-filter.ts'
import type { ServerParts } from '../server-parts.ts'

const pageSizeDefault = 10

const searchRoute = createRoute({
  method: 'post',
  path: '/discovery/v1/search/{domain}',
  tags: ['Search'],
  summary: 'Search a site',
  description: 'Ranked passages of the pages that this reader may see, best first.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: true, content: { 'application/json': { schema: searchRequestSchema } } },
  },
  responses: {
    200: { description: 'The passages.', content: { 'application/json': { schema: searchResponseSchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

export function addSearchV1(app: DocentServer, parts: ServerParts): void {
  app.openapi(searchRoute, async (c) => {
    const { site, reader } = c.get('readerRequest')
    const { query, pageSize, scoreThreshold, filter } = c.req.valid('json')
    const rateLimit = await takeReaderLimits(c, parts)
    const search = {
      text: query,
      limit: pageSize ?? pageSizeDefault,
      filter: readSearchFilter(filter),
      ...(scoreThreshold == null ? {} : { scoreThreshold }),
      ...reader,
    }
    const passages = await runCounted(parts, rateLimit, c.req.raw.signal, () => site.index.search(search))
    for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
    return reply(
      c,
      searchResponseSchema,
      passages.map((passage) => toSearchResult(site, passage)),
      200,
    )
  })
}
