import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { createOwnerLink, ownerLinkUrl } from '../../access/sign-in.ts'
import { cloneUrl } from '../../codehost/builtin/builtin-host-deps.ts'
import { createRepository, removeRepository } from '../../codehost/builtin/create-repository.ts'
import { listQuerySchema } from '../../contract/admin.ts'
import {
  ownerLinkSchema,
  repositoryCreateSchema,
  repositoryListSchema,
  type RepositoryResource,
  repositorySchema,
} from '../../contract/repositories.ts'
import { AppError } from '../../contract/app-error.ts'
import { requireUnusedRepository } from '../../sites/builtin-source.ts'
import { importFiles } from '../../sites/import-files.ts'
import { getRepository, listRepositories, type Repository } from '../../store/repositories.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireSourceFolder } from '../require-source-folder.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const security = [{ adminKey: [] }]

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/repositories',
  tags: ['Repositories'],
  security,
  summary: 'List repositories of the built-in host',
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'By id.', content: { 'application/json': { schema: repositoryListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const importRoute = createRoute({
  method: 'post',
  path: '/admin/v1/repositories',
  tags: ['Repositories'],
  security,
  summary: 'Import a folder or a repository into the built-in host',
  description:
    'A folder becomes one commit; of a git repository the history of one ref is taken. The branch is called `main`.',
  request: { body: { required: true, content: { 'application/json': { schema: repositoryCreateSchema } } } },
  responses: {
    201: { description: 'The repository.', content: { 'application/json': { schema: repositorySchema } } },
    ...errorResponses(400, 401, 403, 409, 413, 415, 503),
  },
})

const deleteRoute = createRoute({
  method: 'delete',
  path: '/admin/v1/repositories/{id}',
  tags: ['Repositories'],
  security,
  summary: 'Delete a repository of the built-in host',
  description: 'Deletes its history and its pull requests, for good. Refused while a site is read from it.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 409, 503) },
})

const ownerLinkRoute = createRoute({
  method: 'post',
  path: '/admin/v1/owner-links',
  tags: ['Operations'],
  security,
  summary: 'Make a link that signs the owner in',
  description: 'It works once and for an hour.',
  responses: {
    201: { description: 'The link.', content: { 'application/json': { schema: ownerLinkSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

export function addAdminRepositories(app: DocentServer, parts: ServerParts): void {
  app.openapi(listRoute, async (c) => {
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listRepositories(parts.store.durable, request)
    const resources = items.map((repository) => toResource(parts, repository))
    return reply(c, repositoryListSchema, { items: resources, nextCursor }, 200)
  })

  app.openapi(importRoute, async (c) => {
    const { name, from, ref } = c.req.valid('json')
    await requireSourceFolder(c, parts, from)
    const fill = importFiles(parts.host, { from, ref: ref ?? null })
    const input = { organizationId: c.get('organizationId'), name, fill }
    const repository = await createRepository(parts.host, input, c.req.raw.signal)
    await recordAudit(c, parts, { action: 'repository-created', target: targetOf(repository) })
    return reply(c, repositorySchema, toResource(parts, repository), 201)
  })

  app.openapi(deleteRoute, async (c) => {
    const repository = await getRepository(parts.store.durable, c.req.valid('param').id)
    if (repository?.organizationId !== c.get('organizationId')) {
      throw new AppError('repository_not_found', 'There is no such repository. List the repositories to see their ids.')
    }
    await requireUnusedRepository(parts.store, repository)
    await removeRepository(parts.host, repository)
    await recordAudit(c, parts, { action: 'repository-deleted', target: targetOf(repository) })
    return c.body(null, 204)
  })

  app.openapi(ownerLinkRoute, async (c) => {
    const { token, expiresAt } = await createOwnerLink(parts, c.get('organizationId'))
    const link = { url: ownerLinkUrl(parts.baseUrl, token), expiresAt: toIsoTime(expiresAt) }
    await recordAudit(c, parts, { action: 'sign-in-link-made' })
    return reply(c, ownerLinkSchema, link, 201)
  })
}

function targetOf({ id, name }: Repository) {
  return { kind: 'repository', id, name }
}

function toResource({ host }: ServerParts, repository: Repository): RepositoryResource {
  const { id, name, defaultBranch, createdAt } = repository
  return { id, name, defaultBranch, cloneUrl: cloneUrl(host, repository), createdAt: toIsoTime(createdAt) }
}
