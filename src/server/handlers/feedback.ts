import type { feedbackOperations } from '../../contract/operations/feedback.ts'
import { listFeedback } from '../../store/answers/feedback.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createFeedbackHandlers(deps: Pick<ServerDeps, 'store'>): Handlers<typeof feedbackOperations> {
  return {
    listFeedback: async ({ c, query: { siteId, helpful, about, ...page } }) => {
      const site = siteId === undefined ? undefined : await findOwnSite(c, deps, siteId)
      const { items, nextCursor } = await listFeedback(deps.store.durable, {
        ...page,
        organizationId: c.get('organizationId'),
        siteId: site?.id,
        about,
        isHelpful: helpful === undefined ? undefined : helpful === 'true',
      })
      return { items: items.map((item) => ({ ...item, helpful: item.isHelpful })), nextCursor }
    },
  }
}
