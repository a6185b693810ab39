import { listQuerySchema } from '../admin.ts'
import { repositoryCreateSchema, repositoryListSchema, repositorySchema } from '../repositories.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

export const repositoryOperations = defineOperations(
  { name: 'Repositories', description: 'Repositories of the built-in host.' },
  {
    listRepositories: {
      method: 'get',
      path: '/admin/v1/repositories',
      summary: 'List repositories of the built-in host',
      access: 'viewer',
      query: listQuerySchema,
      replies: { 200: { description: 'By id.', json: repositoryListSchema } },
    },
    importRepository: {
      method: 'post',
      path: '/admin/v1/repositories',
      summary: 'Import a folder or a repository into the built-in host',
      description:
        'A folder becomes one commit; of a git repository the history of one ref is taken. The branch is called `main`.',
      access: 'owner',
      audit: 'repository-created',
      body: repositoryCreateSchema,
      replies: { 201: { description: 'The repository.', json: repositorySchema } },
      errors: [409],
    },
    deleteRepository: {
      method: 'delete',
      path: '/admin/v1/repositories/{id}',
      summary: 'Delete a repository of the built-in host',
      description: 'Deletes its history and its pull requests, for good. Refused while a site is read from it.',
      access: 'owner',
      audit: 'repository-deleted',
      params: idParams,
      replies: { 204: { description: 'It is gone.' } },
      errors: [409],
    },
  },
)
