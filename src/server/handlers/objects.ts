import type { objectOperations } from '../../contract/operations/objects.ts'
import { findObjects } from '../../store/facts/find-objects.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createObjectHandlers({ store }: Pick<ServerDeps, 'store'>): Handlers<typeof objectOperations> {
  return {
    findObjects: async ({ c, query: { search = '' } }) => {
      const words = search.split(/[\s#]+/).filter((word) => word !== '')
      return { items: await findObjects(store.durable, { organizationId: c.get('organizationId'), words }) }
    },
  }
}
