import type { projectOperations } from '../../contract/operations/projects.ts'
import { listProjects } from '../../store/accounts/projects.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createProjectHandlers({ store }: Pick<ServerDeps, 'store'>): Handlers<typeof projectOperations> {
  return {
    listProjects: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      return listProjects(store.durable, request)
    },
  }
}
