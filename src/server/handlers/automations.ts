import { changeAutomation, createAutomation, requestAutomationRun } from '../../agent/automations/manage-automations.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AutomationResource } from '../../contract/automations.ts'
import type { automationOperations } from '../../contract/operations/automations.ts'
import { listAutomationRuns } from '../../store/agent/automation-runs.ts'
import {
  type Automation,
  type AutomationTrigger,
  deleteAutomation,
  getAutomation,
  listAutomations,
} from '../../store/agent/automations.ts'
import { listContextRepositoriesOfOrganization } from '../../store/sites/context-repositories.ts'
import { getProject } from '../../store/accounts/projects.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Longest time to resolve a branch at a code host. */
const lookMsMax = 60_000

export function createAutomationHandlers(deps: ServerDeps): Handlers<typeof automationOperations> {
  const db = deps.store.durable
  const limit = (c: AppContext) => AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(lookMsMax)])

  return {
    listAutomations: async ({ c, query: { site, ...page } }) => {
      const siteId = site === undefined ? undefined : (await findOwnSite(c, deps, site)).id
      const { items, nextCursor } = await listAutomations(db, {
        ...page,
        siteId,
        organizationId: c.get('organizationId'),
      })
      const names = await readContextNames(c, deps)
      return { items: items.map((automation) => toResource(automation, names)), nextCursor }
    },

    createAutomation: async ({ c, body: input }) => {
      const site = await findOwnSite(c, deps, input.site)
      const automation = await createAutomation(deps.agent, { site, input }, limit(c))
      return {
        reply: async () => toResource(automation, await readContextNames(c, deps)),
        audit: { target: targetOf(automation) },
      }
    },

    getAutomation: async ({ c, params }) => {
      const automation = await findOwnAutomation(c, deps, params.id)
      return toResource(automation, await readContextNames(c, deps))
    },

    updateAutomation: async ({ c, params, body }) => {
      const before = await findOwnAutomation(c, deps, params.id)
      const changed = await changeAutomation(deps.agent, before, body, limit(c))
      deps.wakeAutomations()
      return {
        reply: async () => toResource(changed, await readContextNames(c, deps)),
        audit: { target: targetOf(changed) },
      }
    },

    deleteAutomation: async ({ c, params }) => {
      const automation = await findOwnAutomation(c, deps, params.id)
      await deleteAutomation(db, automation.id)
      return { reply: null, audit: { target: targetOf(automation) } }
    },

    runAutomation: async ({ params, headers, c }) => {
      const automation = await findOwnAutomation(c, deps, params.id)
      const key = headers['Idempotency-Key'] ?? null
      const run = await requestAutomationRun(deps.agent, { automationId: automation.id, key })
      deps.wakeAutomations()
      return { reply: run, audit: { target: targetOf(automation) } }
    },

    listAutomationRuns: async ({ c, params, query }) => {
      const { id: automationId } = await findOwnAutomation(c, deps, params.id)
      return listAutomationRuns(db, { ...query, automationId })
    },
  }
}

/** An automation of the organization. @throws {AppError} `not_found`, also if it belongs to another organization. */
async function findOwnAutomation(c: AppContext, { store }: ServerDeps, id: string): Promise<Automation> {
  const automation = await getAutomation(store.durable, id)
  const site = automation === null ? null : await getSite(store.durable, automation.siteId)
  const project = site === null ? null : await getProject(store.durable, site.projectId)
  if (automation !== null && project?.organizationId === c.get('organizationId')) return automation
  throw new AppError('not_found', `There is no automation ${id.slice(0, 200)}. List them to see their ids.`)
}

type ContextNames = ReadonlyMap<string, string>

/** Names of context repositories by id: triggers are shown the way they were entered. */
async function readContextNames(c: AppContext, { store }: ServerDeps): Promise<ContextNames> {
  const contexts = await listContextRepositoriesOfOrganization(store.durable, c.get('organizationId'))
  return new Map(contexts.map(({ id, name }) => [id, name]))
}

function showTrigger(trigger: AutomationTrigger, names: ContextNames): AutomationResource['trigger'] {
  if (trigger.type !== 'merge') return trigger
  const { contextRepositoryId: id } = trigger
  return { type: 'merge', repository: names.get(id) ?? id }
}

function toResource(automation: Automation, names: ContextNames) {
  const { trigger, isEnabled, dueAt } = automation
  return {
    ...automation,
    trigger: showTrigger(trigger, names),
    openPullRequestsMax: automation.openMax,
    runsPerDayMax: automation.dailyMax,
    enabled: isEnabled,
    nextRunAt: trigger.type === 'schedule' && isEnabled ? dueAt : null,
  }
}

function targetOf({ id, name }: Automation) {
  return { kind: 'automation', id, name }
}
