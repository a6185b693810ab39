import { AppError } from '../../contract/app-error.ts'
import type { contextRepositoryOperations } from '../../contract/operations/context-repositories.ts'
import {
  addContextRepository,
  changeContextRepository,
  type CheckedContext,
  removeContextRepository,
} from '../../sites/manage-context-repositories.ts'
import { type ContextRepository, listContextRepositories } from '../../store/sites/context-repositories.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { requireSourceFolder } from '../requests/require-source-folder.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Longest time for a trial access. */
const checkMsMax = 60_000

/** Handlers of repositories that agents read in addition to a site's own. */
export function createContextRepositoryHandlers(deps: ServerDeps): Handlers<typeof contextRepositoryOperations> {
  const db = deps.store.durable
  const contextDeps = () => ({ ...deps, contexts: deps.agent.contexts })
  const limit = (c: AppContext) => AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(checkMsMax)])

  return {
    listContextRepositories: async ({ site: { id: siteId } }) => {
      const items = await listContextRepositories(db, { siteId })
      return { items: items.map(toResource) }
    },

    addContextRepository: async ({ c, body: input, site }) => {
      await requireSourceFolder(c, deps, input.source.location)
      const added = await addContextRepository(
        contextDeps(),
        { site, organizationId: c.get('organizationId'), input },
        limit(c),
      )
      return { reply: toChecked(added), audit: { target: targetOf(added.context) } }
    },

    updateContextRepository: async ({ c, params, body: update, site }) => {
      const before = await requireContext(deps, site, params.name)
      await requireSourceFolder(c, deps, update.source?.location)
      const change = { site, before, organizationId: c.get('organizationId'), update }
      const changed = await changeContextRepository(contextDeps(), change, limit(c))
      return { reply: toChecked(changed), audit: { target: targetOf(before) } }
    },

    removeContextRepository: async ({ params, site }) => {
      const context = await requireContext(deps, site, params.name)
      await removeContextRepository(deps, context)
      return { reply: null, audit: { target: targetOf(context) } }
    },
  }
}

/** @throws {AppError} `not_found`. */
async function requireContext({ store }: ServerDeps, site: Site, name: string): Promise<ContextRepository> {
  const contexts = await listContextRepositories(store.durable, { siteId: site.id })
  const found = contexts.find((context) => context.name === name || context.id === name)
  if (found !== undefined) return found
  throw new AppError(
    'not_found',
    `The site ${site.slug} has no context repository ${name.slice(0, 100)}. List them to see their names.`,
  )
}

function toResource(context: ContextRepository) {
  return { ...context, hasCredential: context.credentialSealed !== null }
}

function toChecked({ context, commit }: CheckedContext) {
  return { ...toResource(context), commit }
}

function targetOf({ id, name }: ContextRepository) {
  return { kind: 'context-repository', id, name }
}
