import { AppError } from '../../contract/app-error.ts'
import type { codeHostAppOperations } from '../../contract/operations/code-host-apps.ts'
import {
  type CodeHostApp,
  deleteCodeHostApp,
  getCodeHostApp,
  listCodeHostApps,
} from '../../store/hosting/code-host-apps.ts'
import type { AppContext } from '../app-env.ts'
import { listReceivedWebhooks } from '../resources/list-received-webhooks.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { appTarget, storeCodeHostApp } from '../resources/store-code-host-app.ts'

/** Apps are for owners only, because they grant access on behalf of the whole organization. */
type CodeHostAppDeps = Pick<ServerDeps, 'store' | 'clock' | 'ids' | 'appSecrets'>

export function createCodeHostAppHandlers(deps: CodeHostAppDeps): Handlers<typeof codeHostAppOperations> {
  const db = deps.store.durable
  const findOwnApp = async (c: AppContext, id: string): Promise<CodeHostApp> => {
    const found = await getCodeHostApp(db, id)
    if (found?.organizationId === c.get('organizationId')) return found
    throw new AppError('not_found', 'There is no such App. List the Apps to see their ids.')
  }

  return {
    listCodeHostApps: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      const { items, nextCursor } = await listCodeHostApps(db, request)
      return { items: items.map(toResource), nextCursor }
    },

    createCodeHostApp: async ({ c, body: { webhookSecret = null, ...given } }) => {
      const organizationId = c.get('organizationId')
      const made = await storeCodeHostApp(deps, { ...given, organizationId, webhookSecret })
      return { reply: toResource(made), audit: { target: appTarget(made) } }
    },

    deleteCodeHostApp: async ({ c, params }) => {
      const found = await findOwnApp(c, params.id)
      await deleteCodeHostApp(db, found.id)
      return { reply: null, audit: { target: appTarget(found) } }
    },

    listAppWebhooks: async ({ c, params, query }) => {
      const { id } = await findOwnApp(c, params.id)
      return listReceivedWebhooks(deps.store, { ...query, source: `app:${id}` })
    },
  }
}

function toResource(app: CodeHostApp) {
  const { origin, slug, webhookSecretSealed } = app
  const below = new URL(origin).host === 'github.com' ? 'apps' : 'github-apps'
  return {
    ...app,
    hasWebhookSecret: webhookSecretSealed !== null,
    installUrl: `${origin}/${below}/${slug}/installations/new`,
  }
}
