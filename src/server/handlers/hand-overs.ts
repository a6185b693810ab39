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
import type { Site } from '../../store/sites/sites.ts'
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

    listHandOvers: async ({ query, site }) => {
      const { items, nextCursor } = await listHandOvers(db, { ...query, siteId: site.id })
      return { items: await toResources(deps, items), nextCursor }
    },

    updateHandOver: async ({ params, body: { state }, site }) => {
      const { handOver, target } = await findTarget(deps, site, params.handOverId)
      await setHandOverState(db, handOver.id, state)
      return { reply: () => toResource(deps, { ...handOver, state }), audit: { target } }
    },

    retryHandOver: async ({ params, site }) => {
      const { handOver, target } = await findTarget(deps, site, params.handOverId)
      await requeueHandOver(db, handOver.id, deps.clock.now())
      deps.wakeWebhooks()
      return { reply: () => toResource(deps, handOver), audit: { target } }
    },

    deleteHandOver: async ({ params, site }) => {
      const { handOver, target } = await findTarget(deps, site, params.handOverId)
      await deleteHandOver(db, handOver.id)
      return { reply: null, audit: { target } }
    },
  }
}

function listChannels({ emails, issues }: HandOverSettings): HandOverChannel[] {
  return [...(emails.length > 0 ? (['email'] as const) : []), ...(issues ? (['issue'] as const) : [])]
}

/** @throws {AppError} `not_found`. */
async function findTarget({ store }: ServerDeps, { id: siteId, slug }: Site, id: string) {
  const handOver = await getHandOver(store.durable, siteId, id)
  if (handOver !== null) return { handOver, target: { kind: 'hand-over', id, name: slug } }
  throw new AppError('not_found', `The site ${slug} has no message ${id.slice(0, 100)}. List them to see their ids.`)
}

async function toResource({ store }: ServerDeps, handOver: HandOver) {
  return { ...handOver, sends: await listHandOverSends(store.durable, [handOver.id]) }
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
