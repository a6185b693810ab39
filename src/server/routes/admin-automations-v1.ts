import { changeAutomation, createAutomation, requestAutomationRun } from '../../agent/automations/manage-automations.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  automationListSchema,
  type AutomationResource,
  automationRunListSchema,
  type AutomationRunResource,
  automationRunSchema,
  automationSchema,
} from '../../contract/automations.ts'
import { type AutomationRun, listAutomationRuns } from '../../store/automation-runs.ts'
import {
  type Automation,
  type AutomationTrigger,
  deleteAutomation,
  getAutomation,
  listAutomations,
} from '../../store/automations.ts'
import { listContextRepositoriesOfOrganization } from '../../store/context-repositories.ts'
import { getProject } from '../../store/projects.ts'
import { getSite } from '../../store/sites.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { invalidRequest } from '../read-json.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import type { ServerParts } from '../server-parts.ts'
import {
  changeAutomationRoute,
  createAutomationRoute,
  deleteAutomationRoute,
  getAutomationRoute,
  listAutomationsRoute,
  listRunsRoute,
  runAutomationRoute,
} from './admin-automation-routes.ts'

/** Longest time for asking a code host what a branch names. */
const lookMsMax = 60_000

/** Printable, so that it can be kept and shown. */
const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/** Mounts jobs that are made again and again. */
export function addAdminAutomations(app: DocentServer, parts: ServerParts): void {
  addAutomations(app, parts)
  addRuns(app, parts)
}

function addAutomations(app: DocentServer, parts: ServerParts): void {
  const db = parts.store.durable
  const limit = (c: AppContext) => AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(lookMsMax)])

  app.openapi(listAutomationsRoute, async (c) => {
    const { site, ...page } = c.req.valid('query')
    const siteId = site === undefined ? undefined : (await findOwnSite(c, parts, site)).id
    const { items, nextCursor } = await listAutomations(db, {
      ...page,
      siteId,
      organizationId: c.get('organizationId'),
    })
    const names = await readContextNames(c, parts)
    const shown = items.map((automation) => toResource(automation, names))
    return reply(c, automationListSchema, { items: shown, nextCursor }, 200)
  })

  app.openapi(createAutomationRoute, async (c) => {
    const input = c.req.valid('json')
    const site = await findOwnSite(c, parts, input.site)
    const automation = await createAutomation(parts.agent, { site, input }, limit(c))
    await recordAudit(c, parts, { action: 'automation-created', target: targetOf(automation) })
    return reply(c, automationSchema, toResource(automation, await readContextNames(c, parts)), 201)
  })

  app.openapi(getAutomationRoute, async (c) => {
    const automation = await findOwnAutomation(c, parts, c.req.valid('param').id)
    return reply(c, automationSchema, toResource(automation, await readContextNames(c, parts)), 200)
  })

  app.openapi(changeAutomationRoute, async (c) => {
    const before = await findOwnAutomation(c, parts, c.req.valid('param').id)
    const changed = await changeAutomation(parts.agent, before, c.req.valid('json'), limit(c))
    await recordAudit(c, parts, { action: 'automation-changed', target: targetOf(changed) })
    parts.wakeAutomations()
    return reply(c, automationSchema, toResource(changed, await readContextNames(c, parts)), 200)
  })

  app.openapi(deleteAutomationRoute, async (c) => {
    const automation = await findOwnAutomation(c, parts, c.req.valid('param').id)
    await deleteAutomation(db, automation.id)
    await recordAudit(c, parts, { action: 'automation-deleted', target: targetOf(automation) })
    return c.body(null, 204)
  })
}

function addRuns(app: DocentServer, parts: ServerParts): void {
  app.openapi(runAutomationRoute, async (c) => {
    const automation = await findOwnAutomation(c, parts, c.req.valid('param').id)
    const key = c.req.header('idempotency-key') ?? null
    if (key !== null && !idempotencyKey.test(key)) {
      throw invalidRequest([{ path: 'Idempotency-Key', message: 'holds up to 255 printable characters, and no space' }])
    }
    const run = await requestAutomationRun(parts.agent, { automationId: automation.id, key })
    await recordAudit(c, parts, { action: 'automation-run', target: targetOf(automation) })
    parts.wakeAutomations()
    return reply(c, automationRunSchema, toRunResource(run), 201)
  })

  app.openapi(listRunsRoute, async (c) => {
    const { id: automationId } = await findOwnAutomation(c, parts, c.req.valid('param').id)
    const { items, nextCursor } = await listAutomationRuns(parts.store.durable, {
      ...c.req.valid('query'),
      automationId,
    })
    return reply(c, automationRunListSchema, { items: items.map(toRunResource), nextCursor }, 200)
  })
}

/** An automation of the organization. @throws {AppError} `not_found`, also for one of another organization. */
async function findOwnAutomation(c: AppContext, { store }: ServerParts, id: string): Promise<Automation> {
  const automation = await getAutomation(store.durable, id)
  const site = automation === null ? null : await getSite(store.durable, automation.siteId)
  const project = site === null ? null : await getProject(store.durable, site.projectId)
  if (automation !== null && project?.organizationId === c.get('organizationId')) return automation
  throw new AppError('not_found', `There is no automation ${id.slice(0, 200)}. List them to see their ids.`)
}

type ContextNames = ReadonlyMap<string, string>

/** The names of context repositories by their ids: triggers are shown as they are given. */
async function readContextNames(c: AppContext, { store }: ServerParts): Promise<ContextNames> {
  const contexts = await listContextRepositoriesOfOrganization(store.durable, c.get('organizationId'))
  return new Map(contexts.map(({ id, name }) => [id, name]))
}

function showTrigger(trigger: AutomationTrigger, names: ContextNames): AutomationResource['trigger'] {
  if (trigger.type !== 'merge') return trigger
  const { contextRepositoryId: id } = trigger
  return { type: 'merge', repository: names.get(id) ?? id }
}

function toResource(automation: Automation, names: ContextNames): AutomationResource {
  const { id, siteId, name, prompt, trigger, isEnabled, dueAt, failure } = automation
  return {
    id,
    siteId,
    name,
    prompt,
    trigger: showTrigger(trigger, names),
    openPullRequestsMax: automation.openMax,
    runsPerDayMax: automation.dailyMax,
    enabled: isEnabled,
    nextRunAt: trigger.type === 'schedule' && isEnabled ? toIsoTime(dueAt) : null,
    failure,
    createdAt: toIsoTime(automation.createdAt),
    updatedAt: toIsoTime(automation.updatedAt),
  }
}

function toRunResource({ occurrence: _occurrence, attempt: _attempt, ...run }: AutomationRun): AutomationRunResource {
  return { ...run, createdAt: toIsoTime(run.createdAt), finishedAt: toIsoTime(run.finishedAt) }
}

function targetOf({ id, name }: Automation) {
  return { kind: 'automation', id, name }
}
