import { z } from 'zod'
import {
  contextRepositoryCheckedSchema,
  contextRepositoryCreateSchema,
  contextRepositoryListSchema,
  contextRepositoryUpdateSchema,
} from '../context-repositories.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = siteParams.extend({ name: z.string().meta({ description: 'Name or id of the context repository.' }) })

const tag = {
  name: 'Context repositories',
  description: 'Repositories that the agent reads in addition to the one it edits.',
}

export const contextRepositoryOperations = defineOperations(tag, {
  listContextRepositories: {
    method: 'get',
    path: '/admin/v1/sites/{id}/context-repositories',
    summary: 'List the context repositories of a site',
    description: 'Credentials are not included.',
    access: 'viewer',
    params: siteParams,
    replies: { 200: { description: 'Context repositories, ordered by name.', json: contextRepositoryListSchema } },
  },
  addContextRepository: {
    method: 'post',
    path: '/admin/v1/sites/{id}/context-repositories',
    summary: 'Add a context repository',
    description: 'Reads the branch first; a repository that cannot be read is not added. A site can have up to 10.',
    access: 'owner',
    audit: 'context-repository-added',
    dashboardEvent: 'site-changed',
    params: siteParams,
    body: contextRepositoryCreateSchema,
    replies: { 201: { description: 'The context repository.', json: contextRepositoryCheckedSchema } },
    errors: [409, 422],
  },
  updateContextRepository: {
    method: 'patch',
    path: '/admin/v1/sites/{id}/context-repositories/{name}',
    summary: 'Update a context repository',
    description: 'Reads the branch first; if that fails, nothing is changed.',
    access: 'owner',
    audit: 'context-repository-changed',
    dashboardEvent: 'site-changed',
    params,
    body: contextRepositoryUpdateSchema,
    replies: { 200: { description: 'The context repository.', json: contextRepositoryCheckedSchema } },
    errors: [422],
  },
  removeContextRepository: {
    method: 'delete',
    path: '/admin/v1/sites/{id}/context-repositories/{name}',
    summary: 'Remove a context repository',
    description: 'Refused with 409 while an automation watches it.',
    access: 'owner',
    audit: 'context-repository-removed',
    dashboardEvent: 'site-changed',
    params,
    replies: { 204: { description: 'The context repository was removed.' } },
    errors: [409],
  },
})
