import { z } from 'zod'
import {
  contextRepositoryCheckedSchema,
  contextRepositoryCreateSchema,
  contextRepositoryListSchema,
  contextRepositoryUpdateSchema,
} from '../context-repositories.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = siteParams.extend({ name: z.string().meta({ description: 'Name or id.' }) })

export const contextRepositoryOperations = defineOperations(
  { name: 'Context repositories', description: 'Repositories that the agent reads besides the one it edits.' },
  {
    listContextRepositories: {
      method: 'get',
      path: '/admin/v1/sites/{id}/context-repositories',
      summary: 'List the context repositories of a site',
      description: 'What the agent may read beside the repository that it edits. Without their credentials.',
      access: 'viewer',
      params: siteParams,
      replies: { 200: { description: 'By name.', json: contextRepositoryListSchema } },
    },
    addContextRepository: {
      method: 'post',
      path: '/admin/v1/sites/{id}/context-repositories',
      summary: 'Add a context repository',
      description: 'Asks the repository for its branch first; one that cannot be read is not added. At most 10 a site.',
      access: 'owner',
      audit: 'context-repository-added',
      params: siteParams,
      body: contextRepositoryCreateSchema,
      replies: { 201: { description: 'The context repository.', json: contextRepositoryCheckedSchema } },
      errors: [409, 422],
    },
    updateContextRepository: {
      method: 'patch',
      path: '/admin/v1/sites/{id}/context-repositories/{name}',
      summary: 'Change a context repository',
      description: 'Asks the repository for its branch first, as when it is added.',
      access: 'owner',
      audit: 'context-repository-changed',
      params,
      body: contextRepositoryUpdateSchema,
      replies: { 200: { description: 'The context repository.', json: contextRepositoryCheckedSchema } },
      errors: [422],
    },
    removeContextRepository: {
      method: 'delete',
      path: '/admin/v1/sites/{id}/context-repositories/{name}',
      summary: 'Remove a context repository',
      description: 'Refused while an automation runs when it changes.',
      access: 'owner',
      audit: 'context-repository-removed',
      params,
      replies: { 204: { description: 'It is gone.' } },
      errors: [409],
    },
  },
)
