import { changeKey } from '../../access/keys/change-key.ts'
import { createKey } from '../../access/keys/create-key.ts'
import { AppError } from '../../contract/app-error.ts'
import { type keyOperations, keyRestoreMsMax } from '../../contract/operations/keys.ts'
import { type ApiKey, getKey, listKeys, restoreKey, revokeKey } from '../../store/accounts/keys.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

type KeyDeps = Pick<ServerDeps, 'store' | 'keys' | 'pageKeys' | 'clock' | 'ids' | 'randomBytes'>

export function createKeyHandlers(deps: KeyDeps): Handlers<typeof keyOperations> {
  const { store, keys, pageKeys, clock } = deps
  const forget = () => {
    keys.forget()
    pageKeys.forget()
  }

  return {
    listKeys: async ({ c, query: { siteId, ...page } }) => {
      const site = siteId === undefined ? undefined : await findOwnSite(c, deps, siteId)
      const request = { ...page, siteId: site?.id, organizationId: c.get('organizationId') }
      return listKeys(store.durable, request)
    },

    createKey: async ({ c, body: input }) => {
      const site = input.siteId == null ? null : await findOwnSite(c, deps, input.siteId)
      const given = { ...input, siteId: site?.id, organizationId: c.get('organizationId') }
      const isPublic = input.purpose === 'pages' || input.purpose === 'website'
      const { key, secret } = await (isPublic ? pageKeys.create(given) : createKey(deps, given))
      forget()
      return { reply: { ...key, secret }, audit: { target: targetOf(key) } }
    },

    getKey: async ({ c, params }) => findOwnKey(c, deps, params.id),

    updateKey: async ({ c, params, body }) => {
      const before = await findOwnKey(c, deps, params.id)
      const { key, changes } = await changeKey(deps, before, body)
      forget()
      return { reply: key, audit: changes.length > 0 ? { target: targetOf(key), changes } : null }
    },

    revokeKey: async ({ c, params }) => {
      const { id } = await findOwnKey(c, deps, params.id)
      const revoked = await revokeKey(store.durable, id, clock.now())
      forget()
      if (revoked === null) throw missingKey(id)
      return { reply: revoked, audit: { target: targetOf(revoked) } }
    },

    restoreKey: async ({ c, params }) => {
      const key = await findOwnKey(c, deps, params.id)
      if (!(await restoreKey(store.durable, key.id, clock.now() - keyRestoreMsMax))) {
        throw new AppError('conflict', `The key ${key.name} can no longer be restored. Create another.`)
      }
      forget()
      return { reply: () => findOwnKey(c, deps, key.id), audit: { target: targetOf(key) } }
    },
  }
}

async function findOwnKey(c: AppContext, { store }: KeyDeps, id: string): Promise<ApiKey> {
  const key = await getKey(store.durable, id)
  if (key === null || key.organizationId !== c.get('organizationId')) throw missingKey(id)
  return key
}

function targetOf({ id, name }: ApiKey) {
  return { kind: 'key', id, name }
}

function missingKey(id: string): AppError {
  return new AppError('not_found', `There is no key ${id.slice(0, 100)}. List the keys to see their ids.`)
}
