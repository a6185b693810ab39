import { cloneUrl } from '../../codehost/builtin/builtin-host-deps.ts'
import { createRepository, removeRepository } from '../../codehost/builtin/create-repository.ts'
import { AppError } from '../../contract/app-error.ts'
import type { repositoryOperations } from '../../contract/operations/repositories.ts'
import { requireUnusedRepository } from '../../sites/sources/builtin-source.ts'
import { importFiles } from '../../sites/sources/import-files.ts'
import { getRepository, listRepositories, type Repository } from '../../store/hosting/repositories.ts'
import { requireSourceFolder } from '../requests/require-source-folder.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

type RepositoryDeps = Pick<ServerDeps, 'store' | 'host' | 'sourceFolders'>

export function createRepositoryHandlers(deps: RepositoryDeps): Handlers<typeof repositoryOperations> {
  return {
    listRepositories: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      const { items, nextCursor } = await listRepositories(deps.store.durable, request)
      return { items: items.map((repository) => toResource(deps, repository)), nextCursor }
    },

    importRepository: async ({ c, body: { name, from, ref } }) => {
      await requireSourceFolder(c, deps, from)
      const fill = importFiles(deps.host, { from, ref: ref ?? null })
      const input = { organizationId: c.get('organizationId'), name, fill }
      const repository = await createRepository(deps.host, input, c.req.raw.signal)
      return { reply: toResource(deps, repository), audit: { target: targetOf(repository) } }
    },

    deleteRepository: async ({ c, params }) => {
      const repository = await getRepository(deps.store.durable, params.id)
      if (repository?.organizationId !== c.get('organizationId')) {
        throw new AppError(
          'repository_not_found',
          'There is no such repository. List the repositories to see their ids.',
        )
      }
      await requireUnusedRepository(deps.store, repository)
      await removeRepository(deps.host, repository)
      return { reply: null, audit: { target: targetOf(repository) } }
    },
  }
}

function targetOf({ id, name }: Repository) {
  return { kind: 'repository', id, name }
}

function toResource({ host }: RepositoryDeps, repository: Repository) {
  return { ...repository, cloneUrl: cloneUrl(host, repository) }
}
