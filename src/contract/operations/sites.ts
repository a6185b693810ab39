import { z } from 'zod'
import {
  findingSchema,
  identitySecretSchema,
  listQuerySchema,
  siteCreateSchema,
  siteListSchema,
  siteSchema,
  siteUpdateSchema,
  syncRunSchema,
} from '../admin.ts'
import { pageOf } from '../page-of.ts'
import {
  siteWebhookSchema,
  siteWebhookSetupSchema,
  sourceCheckRequestSchema,
  sourceCheckSchema,
} from '../source-check.ts'
import { defineOperations } from './operation.ts'
import { siteParams as params } from './params.ts'

const findingListSchema = pageOf(findingSchema, 'FindingList')

const agentFileListSchema = z
  .object({
    items: z.array(
      z.object({
        path: z.string().meta({ description: 'Relative to the root of the site.' }),
        content: z.string(),
        continues: z.boolean().meta({ description: 'Whether the content is appended to the file of that path.' }),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'AgentFileList' })

export type AgentFileList = z.output<typeof agentFileListSchema>

const tag = { name: 'Sites', description: 'Documentation sites and their indexing.' }

export const siteLifecycleOperations = defineOperations(tag, {
  listSites: {
    method: 'get',
    path: '/admin/v1/sites',
    summary: 'List sites',
    access: 'viewer',
    query: listQuerySchema.extend({
      projectId: z.string().optional().meta({ description: 'Only sites of this project.' }),
    }),
    replies: { 200: { description: 'Sites, ordered by id.', json: siteListSchema } },
  },
  createSite: {
    method: 'post',
    path: '/admin/v1/sites',
    summary: 'Create a site',
    description: 'Queues the first sync. Until it ends, questions and searches are refused with 503.',
    access: 'owner',
    audit: 'site-created',
    dashboardEvent: 'site-changed',
    body: siteCreateSchema,
    replies: { 201: { description: 'The site.', json: siteSchema } },
    errors: [404, 409],
  },
  getSite: {
    method: 'get',
    path: '/admin/v1/sites/{id}',
    summary: 'Get a site',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The site.', json: siteSchema } },
  },
  listAgentFiles: {
    method: 'get',
    path: '/admin/v1/sites/{id}/agent-files',
    summary: 'List the files of a site for programs',
    description:
      'The public pages as Markdown, `llms.txt`, sitemaps, the skill and redirects, to copy to where the site is served.',
    access: 'viewer',
    params,
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional(),
    }),
    replies: { 200: { description: 'Files, at most those of 50 pages.', json: agentFileListSchema } },
  },
  updateSite: {
    method: 'patch',
    path: '/admin/v1/sites/{id}',
    summary: 'Update a site',
    description: 'Updates only the given fields. Changing the source or credential queues a sync.',
    access: 'editor',
    audit: 'site-changed',
    dashboardEvent: 'site-changed',
    params,
    body: siteUpdateSchema,
    replies: { 200: { description: 'The site.', json: siteSchema } },
    errors: [409],
  },
  deleteSite: {
    method: 'delete',
    path: '/admin/v1/sites/{id}',
    summary: 'Delete a site',
    description: 'Also deletes its keys, index and threads.',
    access: 'owner',
    audit: 'site-deleted',
    dashboardEvent: 'site-changed',
    params,
    replies: { 204: { description: 'The site was deleted.' } },
  },
  syncSite: {
    method: 'post',
    path: '/admin/v1/sites/{id}/sync',
    summary: 'Sync a site with its source',
    description: 'Queues a run and returns immediately. Poll the run until its `state` is `succeeded` or `failed`.',
    access: 'editor',
    audit: 'sync-requested',
    dashboardEvent: 'sync-changed',
    params,
    replies: { 200: { description: 'The run.', json: syncRunSchema } },
  },
  confirmSite: {
    method: 'post',
    path: '/admin/v1/sites/{id}/confirm',
    summary: 'Confirm the page addresses of a site',
    description:
      "Publishes the version that is waiting for it. Docent asks again only if the site's URL, source or format changes. Does nothing if no version is waiting.",
    access: 'owner',
    audit: 'site-confirmed',
    dashboardEvent: 'site-changed',
    params,
    replies: { 200: { description: 'The site.', json: siteSchema } },
  },
  getSyncRun: {
    method: 'get',
    path: '/admin/v1/sites/{id}/runs/{runId}',
    summary: 'Get a sync run',
    access: 'viewer',
    params: params.extend({ runId: z.string().meta({ description: 'Id of the run.' }) }),
    replies: { 200: { description: 'The run.', json: syncRunSchema } },
  },
  createIdentitySecret: {
    method: 'post',
    path: '/admin/v1/sites/{id}/identity-secret',
    summary: 'Create an identity secret',
    description: 'Signs `X-Docent-Identity`. The previous secret becomes invalid immediately.',
    access: 'owner',
    audit: 'identity-secret-made',
    dashboardEvent: 'site-changed',
    params,
    replies: { 201: { description: 'The secret, which is returned only once.', json: identitySecretSchema } },
  },
  listFindings: {
    method: 'get',
    path: '/admin/v1/sites/{id}/findings',
    summary: 'List findings',
    access: 'viewer',
    params,
    replies: { 200: { description: 'Problems in the source of the newest index.', json: findingListSchema } },
  },
})

export const sourceCheckOperations = defineOperations(tag, {
  checkSource: {
    method: 'post',
    path: '/admin/v1/sites/check-source',
    summary: 'Check a source',
    description:
      'Detects the code host of an address, tests each permission of the credential with a real call, and looks for the branch and the documentation. For a folder or repository on the server, looks for the documentation. Changes nothing. Takes a few seconds, or up to two minutes for a large repository.',
    access: 'owner',
    body: sourceCheckRequestSchema,
    replies: { 200: { description: 'The result of each step.', json: sourceCheckSchema } },
    errors: [404],
  },
  showSiteWebhook: {
    method: 'post',
    path: '/admin/v1/sites/{id}/webhook',
    summary: 'Show the webhook of a site',
    description: 'Returns the address and secret to enter in the settings of the repository.',
    access: 'owner',
    audit: 'webhook-shown',
    params,
    replies: { 200: { description: 'The webhook.', json: siteWebhookSchema } },
    errors: [400],
  },
  addSiteWebhook: {
    method: 'post',
    path: '/admin/v1/sites/{id}/webhook/add',
    summary: "Add a webhook to the site's repository",
    description:
      "Adds a webhook on the code host, or updates the one with the same address. The site's credential needs permission to do so, and the code host must be able to reach the service.",
    access: 'owner',
    audit: 'webhook-added',
    dashboardEvent: 'site-changed',
    params,
    replies: { 200: { description: 'What was done, or what you must do yourself.', json: siteWebhookSetupSchema } },
    errors: [400],
  },
})

export const siteOperations = { ...siteLifecycleOperations, ...sourceCheckOperations }
