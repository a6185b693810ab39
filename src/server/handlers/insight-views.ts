import { hashToken, isToken, makeToken } from '../../access/sign-in/sign-in.ts'
import { trialCounters } from '../../assistant/try-answer.ts'
import { isRecent } from '../../base/is-recent.ts'
import { AppError } from '../../contract/app-error.ts'
import type { PublicView } from '../../contract/insight-views.ts'
import type { insightViewOperations } from '../../contract/operations/insight-views.ts'
import { readPublicView } from '../../insights/read-public-view.ts'
import { deleteSavedView, listSavedViews, saveView } from '../../store/accounts/saved-views.ts'
import {
  findOpenSharedView,
  insertSharedView,
  listSharedViews,
  revokeSharedView,
  type SharedView,
} from '../../store/accounts/shared-views.ts'
import { dayMs } from '../../base/durations.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** More than anyone can distinguish by name. */
const savedViewsMax = 50

/** Handlers of saved and of shared views of the insights. */
export function createInsightViewHandlers(deps: ServerDeps): Handlers<typeof insightViewOperations> {
  const { store, clock, ids, baseUrl } = deps
  const readNumbers = rememberNumbers(deps)

  return {
    listSavedViews: async ({ c }) => ({ items: await listSavedViews(store.durable, c.get('session').user.id) }),

    createSavedView: async ({ c, body }) => {
      const userId = c.get('session').user.id
      const saved = await listSavedViews(store.durable, userId)
      if (saved.length >= savedViewsMax && saved.every(({ name }) => name !== body.name)) {
        throw new AppError('conflict', `You have ${savedViewsMax} saved views. Delete one first.`)
      }
      await saveView(store.durable, { ...body, id: ids.prefixed('view'), userId, createdAt: clock.now() })
      return { items: await listSavedViews(store.durable, userId) }
    },

    deleteSavedView: async ({ c, params: { id } }) => {
      await deleteSavedView(store.durable, { userId: c.get('session').user.id, id })
      return null
    },

    listSharedViews: async ({ c, query }) => {
      const { items, nextCursor } = await listSharedViews(store.durable, {
        ...query,
        organizationId: c.get('organizationId'),
      })
      return { items: items.map((view) => toResource(view, clock.now())), nextCursor }
    },

    createSharedView: async ({ c, body: { name, siteId, days, expiresInDays, ...filter } }) => {
      const site = siteId === undefined ? null : await findOwnSite(c, deps, siteId)
      const { token, hash } = makeToken(deps)
      const createdAt = clock.now()
      const view: SharedView = {
        id: ids.prefixed('shared'),
        organizationId: c.get('organizationId'),
        name,
        siteId: site?.id ?? null,
        days,
        filter,
        createdBy: c.get('actorName'),
        createdAt,
        expiresAt: createdAt + expiresInDays * dayMs,
        revokedAt: null,
      }
      await insertSharedView(store.durable, { ...view, hash })
      c.header('Cache-Control', 'private, no-store')
      const url = `${baseUrl}/dashboard/shared?token=${token}`
      return { reply: { ...toResource(view, createdAt), url }, audit: { target: targetOf(view) } }
    },

    revokeSharedView: async ({ c, params: { id } }) => {
      const request = { organizationId: c.get('organizationId'), id, now: clock.now() }
      const view = await revokeSharedView(store.durable, request)
      if (view === null) {
        throw new AppError('not_found', `There is no shared view ${id.slice(0, 100)}. List them to see their ids.`)
      }
      return { reply: toResource(view, clock.now()), audit: { target: targetOf(view) } }
    },

    getPublicView: async ({ c, query: { token } }) => {
      c.header('Cache-Control', 'private, no-store')
      c.header('X-Robots-Tag', 'noindex')
      const view = isToken(token) ? await findOpenSharedView(store.durable, hashToken(token), clock.now()) : null
      if (view !== null) return readNumbers(view)
      throw new AppError('not_found', 'This link does not work any more. Ask whoever sent it for a new one.')
    },
  }
}

const keptMs = 60_000
const keptMax = 100

/** Counts at most once a minute for each link: anyone may load it as often as they like. The link itself is checked each time. */
function rememberNumbers(deps: ServerDeps): (view: SharedView) => Promise<PublicView> {
  const kept = new Map<string, { at: number; numbers: Promise<PublicView> }>()
  return (view) => {
    const now = deps.clock.now()
    const known = kept.get(view.id)
    if (known !== undefined && isRecent(known.at, keptMs, now)) return known.numbers
    const numbers = readPublicView({ ...deps, trialCounters }, view)
    kept.delete(view.id)
    kept.set(view.id, { at: now, numbers })
    numbers.catch(() => kept.delete(view.id))
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
    return numbers
  }
}

function targetOf({ id, name }: SharedView) {
  return { kind: 'shared-view', id, name }
}

function toResource({ filter, revokedAt, ...view }: SharedView, now: number) {
  const state =
    revokedAt !== null ? ('revoked' as const) : view.expiresAt <= now ? ('expired' as const) : ('open' as const)
  return { ...view, ...filter, state }
}
