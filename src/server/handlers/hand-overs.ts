import { runCounted } from '../../access/limits/consume-limits.ts'
import { AppError } from '../../contract/app-error.ts'
import type { HandOverChannel } from '../../contract/hand-over.ts'
import type { HandOverSettings } from '../../contract/hand-over-settings.ts'
import type { handOverOperations } from '../../contract/operations/hand-overs.ts'
import { makeHandOver, requireHandOver } from '../../hand-overs/accept-hand-over.ts'
import {
  deleteHandOver,
  findHandOver,
  getHandOver,
  type HandOver,
  insertHandOver,
  listHandOvers,
  listHandOverSends,
  requeueHandOver,
  setHandOverState,
} from '../../store/hand-overs/hand-overs.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createHandOverHandlers(deps: ServerDeps): Handlers<typeof handOverOperations> {
  const db = deps.store.durable

  return {
    createHandOver: async ({ c, body: given }) => {
      const { site, key } = c.get('readerRequest')
      const settings = requireHandOver(site)
      const known = await findHandOver(db, site.id, given.requestId)
      if (known !== undefined) return known
      const handOver = await makeHandOver(deps, { site, settings, given })
      const rateLimit = await consumeReaderLimits(c, deps)
      const route = { channels: listChannels(settings), organizationId: key.organizationId }
      const stored = await runCounted(deps, rateLimit, c.req.raw.signal, () => insertHandOver(db, handOver, route))
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
      deps.wakeWebhooks()
      return stored
    },

    listHandOvers: async ({ c, params, query }) => {
      const site = await findOwnSite(c, deps, params.id)
      const { items, nextCursor } = await listHandOvers(db, { ...query, siteId: site.id })
      return { items: await toResources(deps, items), nextCursor }
    },

    updateHandOver: async ({ c, params, body: { state } }) => {
      const { handOver, target } = await findOwn(c, deps, params)
      await setHandOverState(db, handOver.id, state)
      return { reply: () => toResource(deps, { ...handOver, state }), audit: { target } }
    },

    retryHandOver: async ({ c, params }) => {
      const { handOver, target } = await findOwn(c, deps, params)
      await requeueHandOver(db, handOver.id, deps.clock.now())
      deps.wakeWebhooks()
      return { reply: () => toResource(deps, handOver), audit: { target } }
    },

    deleteHandOver: async ({ c, params }) => {
      const { handOver, target } = await findOwn(c, deps, params)
      await deleteHandOver(db, handOver.id)
      return { reply: null, audit: { target } }
    },
  }
}

function listChannels({ emails, issues }: HandOverSettings): HandOverChannel[] {
  return [...(emails.length > 0 ? (['email'] as const) : []), ...(issues ? (['issue'] as const) : [])]
}

/** @throws {AppError} `not_found`. */
async function findOwn(c: AppContext, deps: ServerDeps, params: { id: string; handOverId: string }) {
  const site = await findOwnSite(c, deps, params.id)
  const handOver = await getHandOver(deps.store.durable, site.id, params.handOverId)
  if (handOver !== null) return { handOver, target: { kind: 'hand-over', id: handOver.id, name: site.slug } }
  const id = params.handOverId.slice(0, 100)
  throw new AppError('not_found', `The site ${site.slug} has no message ${id}. List them to see their ids.`)
}

async function toResource(deps: ServerDeps, handOver: HandOver) {
  const sends = await listHandOverSends(deps.store.durable, [handOver.id])
  return { ...handOver, sends }
}

async function toResources({ store }: ServerDeps, handOvers: readonly HandOver[]) {
  const sends = await listHandOverSends(
    store.durable,
    handOvers.map(({ id }) => id),
  )
  return handOvers.map((handOver) => ({
    ...handOver,
    sends: sends.filter(({ handOverId }) => handOverId === handOver.id),
  }))
}
