import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { pageRequestSchema, pageResponseSchema } from '../../contract/search.ts'
import type { Reader } from '../../search/search-query.ts'
import type { DocentServer } from '../create-server.ts'
import { reply } from '../reply.ts'
import { takeReaderLimits } from '../request-limits.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const pageRoute = createRoute({
  method: 'post',
  path: '/discovery/v1/page/{domain}',
  tags: ['Search'],
  summary: 'Read a page',
  description: 'The whole page as Markdown.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: true, content: { 'application/json': { schema: pageRequestSchema } } },
  },
  responses: {
    200: { description: 'The page.', content: { 'application/json': { schema: pageResponseSchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

export function addPageV1(app: DocentServer, parts: ServerParts): void {
  app.openapi(pageRoute, async (c) => {
    const { site, reader } = c.get('readerRequest')
    const { path, groups } = c.req.valid('json')
    const page = await site.index.readPage(path, narrowReader(reader, groups))
    // A page that is not there counts for nothing, so it is looked up before the limit is taken.
    if (page === null)
      throw new AppError('page_not_found', `There is no page ${path.slice(0, 200)} on this site. Check its path.`)
    const rateLimit = await takeReaderLimits(c, parts)
    for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
    return reply(c, pageResponseSchema, { path: page.path, content: page.markdown }, 200)
  })
}

/** Groups that a request names only narrow what the reader has. */
function narrowReader(reader: Reader, groups: readonly string[] | null | undefined): Reader {
  if (groups == null) return reader
  return { ...reader, readerGroups: reader.readerGroups.filter((group) => groups.includes(group)) }
}
