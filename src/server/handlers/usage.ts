import type { usageOperations } from '../../contract/operations/usage.ts'
import { listKeyUses, listLimits, type UsageDeps } from '../resources/usage.ts'
import type { Handlers } from '../serve-operations.ts'

export function createUsageHandlers(deps: UsageDeps): Handlers<typeof usageOperations> {
  return {
    listKeyUsage: ({ c, query }) => listKeyUses(deps, { ...query, organizationId: c.get('organizationId') }),

    listLimitUsage: async ({ c }) => ({ items: await listLimits(deps, c.get('organizationId')), nextCursor: null }),
  }
}
