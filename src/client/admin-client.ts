import { z } from 'zod'
import {
  findingSchema,
  identitySecretSchema,
  type KeyCreate,
  keyCreatedSchema,
  keyListSchema,
  keySchema,
  type KeyUpdate,
  siteListSchema,
  siteSchema,
  type siteCreateSchema,
  type siteUpdateSchema,
  syncRunSchema,
} from '../contract/admin.ts'
import { type agentJobCreateSchema, agentJobListSchema, agentJobSchema } from '../contract/agent-job.ts'
import { decodeAgentJobEvents } from '../contract/agent-job-event.ts'
import { AppError } from '../contract/app-error.ts'
import {
  type automationCreateSchema,
  automationListSchema,
  automationRunListSchema,
  automationRunSchema,
  automationSchema,
} from '../contract/automations.ts'
import {
  contextRepositoryCheckedSchema,
  type contextRepositoryCreateSchema,
  contextRepositoryListSchema,
} from '../contract/context-repositories.ts'
import {
  modelCheckSchema,
  storedSettingListSchema,
  type StoredSettingName,
  storedSettingSchema,
} from '../contract/model-settings.ts'
import { type codeHostAppCreateSchema, codeHostAppListSchema, codeHostAppSchema } from '../contract/code-host-apps.ts'
import {
  siteWebhookSchema,
  siteWebhookSetupSchema,
  type sourceCheckRequestSchema,
  sourceCheckSchema,
} from '../contract/source-check.ts'
import { errorBodySchema } from '../contract/error-body.ts'
import {
  ownerLinkSchema,
  type RepositoryCreate,
  repositoryListSchema,
  repositorySchema,
} from '../contract/repositories.ts'
import {
  webhookEndpointCreatedSchema,
  type webhookEndpointCreateSchema,
  webhookEndpointListSchema,
  webhookSendListSchema,
  webhookSendSchema,
} from '../contract/webhooks.ts'

/** Sends a request: over the network, or into an application in this process. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

const findingListSchema = z.object({ items: z.array(findingSchema) })

/** The admin API, typed. Every method throws the `AppError` that the server answered with. */
export type AdminClient = ReturnType<typeof createAdminClient>

/** @param token An admin key, or the local token of the running server. */
export function createAdminClient(send: Send, token: string) {
  const request = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.output<Schema>> => {
    const response = await send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    })
    return readReply(response, schema)
  }
  const keys = '/admin/v1/keys'
  const sites = '/admin/v1/sites'
  const webhooks = '/admin/v1/webhook-endpoints'
  const automations = '/admin/v1/automations'
  const contextsOf = (site: string) => `${at(sites, site)}/context-repositories`
  const jobs = (project: string) => `/v2/agent/${encodeURIComponent(project)}`
  const at = (base: string, id: string) => `${base}/${encodeURIComponent(id)}`
  return {
    listKeys: (cursor: string | null = null) => request(keyListSchema, 'GET', withCursor(keys, cursor)),
    createKey: (key: KeyCreate) => request(keyCreatedSchema, 'POST', keys, key),
    changeKey: (id: string, change: KeyUpdate) => request(keySchema, 'PATCH', at(keys, id), change),
    revokeKey: (id: string) => request(keySchema, 'POST', `${at(keys, id)}/revoke`),
    listSites: (cursor: string | null = null) => request(siteListSchema, 'GET', withCursor(sites, cursor)),
    createSite: (site: z.input<typeof siteCreateSchema>) => request(siteSchema, 'POST', sites, site),
    getSite: (id: string) => request(siteSchema, 'GET', at(sites, id)),
    changeSite: (id: string, change: z.input<typeof siteUpdateSchema>) =>
      request(siteSchema, 'PATCH', at(sites, id), change),
    removeSite: (id: string) => request(z.null(), 'DELETE', at(sites, id)),
    syncSite: (id: string) => request(syncRunSchema, 'POST', `${at(sites, id)}/sync`),
    getSyncRun: (id: string, runId: string) =>
      request(syncRunSchema, 'GET', `${at(sites, id)}/runs/${encodeURIComponent(runId)}`),
    checkSource: (check: z.input<typeof sourceCheckRequestSchema>) =>
      request(sourceCheckSchema, 'POST', `${sites}/check-source`, check),
    showWebhook: (id: string) => request(siteWebhookSchema, 'POST', `${at(sites, id)}/webhook`),
    addWebhook: (id: string) => request(siteWebhookSetupSchema, 'POST', `${at(sites, id)}/webhook/add`),
    listCodeHostApps: (cursor: string | null = null) =>
      request(codeHostAppListSchema, 'GET', withCursor('/admin/v1/code-host-apps', cursor)),
    createCodeHostApp: (app: z.input<typeof codeHostAppCreateSchema>) =>
      request(codeHostAppSchema, 'POST', '/admin/v1/code-host-apps', app),
    removeCodeHostApp: (id: string) => request(z.null(), 'DELETE', at('/admin/v1/code-host-apps', id)),
    removeThread: (id: string, threadId: string) =>
      request(z.null(), 'DELETE', `${at(sites, id)}/threads/${encodeURIComponent(threadId)}`),
    makeIdentitySecret: (id: string) => request(identitySecretSchema, 'POST', `${at(sites, id)}/identity-secret`),
    importRepository: (repository: RepositoryCreate) =>
      request(repositorySchema, 'POST', '/admin/v1/repositories', repository),
    listRepositories: (cursor: string | null = null) =>
      request(repositoryListSchema, 'GET', withCursor('/admin/v1/repositories', cursor)),
    removeRepository: (id: string) => request(z.null(), 'DELETE', at('/admin/v1/repositories', id)),
    makeOwnerLink: () => request(ownerLinkSchema, 'POST', '/admin/v1/owner-links'),
    createJob: (project: string, job: z.input<typeof agentJobCreateSchema>) =>
      request(agentJobSchema, 'POST', `${jobs(project)}/job`, job),
    getJob: (project: string, id: string) => request(agentJobSchema, 'GET', at(`${jobs(project)}/job`, id)),
    listJobs: (project: string) => request(agentJobListSchema, 'GET', `${jobs(project)}/jobs`),
    cancelJob: (project: string, id: string) =>
      request(agentJobSchema, 'POST', `${at(`${jobs(project)}/job`, id)}/cancel`),
    /** The events of a job after one of them, 0 for all, live until the job ends or the connection breaks. */
    async *followJob(project: string, id: string, after: number) {
      const headers = { authorization: `Bearer ${token}`, 'last-event-id': String(after) }
      const response = await send(`${at(`${jobs(project)}/job`, id)}/events`, { method: 'GET', headers })
      if (!response.ok) await readReply(response, agentJobSchema)
      if (response.body !== null) yield* decodeAgentJobEvents(readText(response.body))
    },
    listSettings: () => request(storedSettingListSchema, 'GET', '/admin/v1/settings'),
    changeSetting: (name: StoredSettingName, value: string | null) =>
      request(storedSettingSchema, 'PUT', at('/admin/v1/settings', name), { value }),
    checkModel: () => request(modelCheckSchema, 'POST', '/admin/v1/settings/model/check'),
    createWebhookEndpoint: (endpoint: z.input<typeof webhookEndpointCreateSchema>) =>
      request(webhookEndpointCreatedSchema, 'POST', webhooks, endpoint),
    listWebhookEndpoints: (cursor: string | null = null) =>
      request(webhookEndpointListSchema, 'GET', withCursor(webhooks, cursor)),
    removeWebhookEndpoint: (id: string) => request(z.null(), 'DELETE', at(webhooks, id)),
    testWebhookEndpoint: (id: string) => request(webhookSendSchema, 'POST', `${at(webhooks, id)}/test`),
    listWebhookSends: (id: string) => request(webhookSendListSchema, 'GET', `${at(webhooks, id)}/deliveries`),
    listContextRepositories: (site: string) => request(contextRepositoryListSchema, 'GET', contextsOf(site)),
    addContextRepository: (site: string, context: z.input<typeof contextRepositoryCreateSchema>) =>
      request(contextRepositoryCheckedSchema, 'POST', contextsOf(site), context),
    removeContextRepository: (site: string, name: string) => request(z.null(), 'DELETE', at(contextsOf(site), name)),
    listAutomations: (cursor: string | null = null) =>
      request(automationListSchema, 'GET', withCursor(automations, cursor)),
    createAutomation: (automation: z.input<typeof automationCreateSchema>) =>
      request(automationSchema, 'POST', automations, automation),
    removeAutomation: (id: string) => request(z.null(), 'DELETE', at(automations, id)),
    runAutomation: (id: string) => request(automationRunSchema, 'POST', `${at(automations, id)}/run`),
    listAutomationRuns: (id: string) => request(automationRunListSchema, 'GET', `${at(automations, id)}/runs`),
    listFindings: (id: string) => request(findingListSchema, 'GET', `${at(sites, id)}/findings`),
  }
}

async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
}

function withCursor(path: string, cursor: string | null): string {
  return cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`
}

async function readReply<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.output<Schema>> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return schema.parse(body)
  const { error, code, details } = errorBodySchema.parse(body)
  throw new AppError(code, error, details === undefined ? {} : { details })
}
