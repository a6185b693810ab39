import { listQuerySchema } from '../admin.ts'
import { repositoryCreateSchema, repositoryListSchema, repositorySchema } from '../repositories.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

const tag = { name: 'Repositories', description: 'Repositories of the built-in host.' }

export const repositoryOperations = defineOperations(tag, {
  listRepositories: {
    method: 'get',
    path: '/admin/v1/repositories',
    summary: 'List repositories of the built-in host',
    access: 'viewer',
    query: listQuerySchema,
    replies: { 200: { description: 'Repositories, ordered by id.', json: repositoryListSchema } },
  },
  importRepository: {
    method: 'post',
    path: '/admin/v1/repositories',
    summary: 'Import a folder or a repository into the built-in host',
    description:
      'A folder becomes a single commit; from a git repository, the history of one ref is imported. The branch is named `main`.',
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
    description: 'Permanently deletes its history and pull requests. Refused with 409 while a site uses it.',
    access: 'owner',
    audit: 'repository-deleted',
    params: idParams,
    replies: { 204: { description: 'The repository was deleted.' } },
    errors: [409],
  },
})
