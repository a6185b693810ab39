import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { explainSearchRequestSchema, explainSearchSchema } from '../../contract/explain-search.ts'
import type { ExplainedHit } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { pageHref } from '../../sites/site-url.ts'
import type { DocentServer } from '../create-server.ts'
import { findOwnSite } from '../own-site.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import { readSearchFilter } from '../search-filter.ts'
import type { ServerParts } from '../server-parts.ts'
import { requireLiveSite } from './admin-playground-v1.ts'

const explainRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/explain-search',
  tags: ['Playground'],
  security: [{ adminKey: [] }],
  summary: 'Explain a search',
  description: 'Searches as readers do and says, for each hit, where its place comes from. Counts against no limit.',
  request: {
    params: z.object({ id: z.string().meta({ description: 'The site, by id or slug.' }) }),
    body: { required: true, content: { 'application/json': { schema: explainSearchRequestSchema } } },
  },
  responses: {
    200: { description: 'The search.', content: { 'application/json': { schema: explainSearchSchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const pageSizeDefault = 10

export function addAdminExplainSearch(app: DocentServer, parts: ServerParts): void {
  app.openapi(explainRoute, async (c) => {
    const { slug } = await findOwnSite(c, parts, c.req.valid('param').id)
    const { query, pageSize, scoreThreshold, filter, currentPath, groups } = c.req.valid('json')
    const site = await requireLiveSite(parts, slug)
    const explained = await site.index.explain(
      {
        text: query,
        limit: pageSize ?? pageSizeDefault,
        filter: readSearchFilter(filter),
        ...(scoreThreshold != null && { scoreThreshold }),
        ...(currentPath != null && { currentPath }),
        readerGroups: groups ?? [],
        isSignedIn: groups != null,
      },
      c.req.raw.signal,
    )
    return reply(c, explainSearchSchema, { ...explained, hits: explained.hits.map((hit) => toHit(site, hit)) }, 200)
  })
}

function toHit(site: LiveSite, { passage, ...hit }: ExplainedHit) {
  const { path, anchor, title, content, headings, version, language, score } = passage
  const href = pageHref(site, path, anchor)
  return { ...hit, path, anchor, title, content, headings, version, language, score, href }
}
