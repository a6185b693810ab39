import type { ProjectResource } from '../../contract/admin.ts'
import type { projectOperations } from '../../contract/operations/projects.ts'
import { listProjects, type Project } from '../../store/accounts/projects.ts'
import { toIsoTime } from '../replies/iso-time.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createProjectHandlers({ store }: Pick<ServerDeps, 'store'>): Handlers<typeof projectOperations> {
  return {
    listProjects: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      const { items, nextCursor } = await listProjects(store.durable, request)
      return { items: items.map(toResource), nextCursor }
    },
  }
}

function toResource({ id, name, createdAt }: Project): ProjectResource {
  return { id, name, createdAt: toIsoTime(createdAt) }
}
