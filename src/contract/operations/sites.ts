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
import {
  siteWebhookSchema,
  siteWebhookSetupSchema,
  sourceCheckRequestSchema,
  sourceCheckSchema,
} from '../source-check.ts'
import { defineOperations } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id or slug.' }) })
const findingListSchema = z
  .object({ items: z.array(findingSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'FindingList' })

export const siteOperations = defineOperations(
  { name: 'Sites', description: 'Sites and their indexing.' },
  {
    listSites: {
      method: 'get',
      path: '/admin/v1/sites',
      summary: 'List sites',
      access: 'viewer',
      query: listQuerySchema.extend({ projectId: z.string().optional() }),
      replies: { 200: { description: 'Sites by id.', json: siteListSchema } },
    },
    createSite: {
      method: 'post',
      path: '/admin/v1/sites',
      summary: 'Create a site',
      description: 'Its first sync is queued at once; until it ends, the site answers 503.',
      access: 'owner',
      audit: 'site-created',
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
    updateSite: {
      method: 'patch',
      path: '/admin/v1/sites/{id}',
      summary: 'Change a site',
      description: 'Changes the fields that are given. Another source or credential queues a sync.',
      access: 'editor',
      audit: 'site-changed',
      params,
      body: siteUpdateSchema,
      replies: { 200: { description: 'The site.', json: siteSchema } },
      errors: [409],
    },
    deleteSite: {
      method: 'delete',
      path: '/admin/v1/sites/{id}',
      summary: 'Delete a site',
      description: 'Deletes everything of it: keys, index, conversations.',
      access: 'owner',
      audit: 'site-deleted',
      params,
      replies: { 204: { description: 'It is gone.' } },
    },
    syncSite: {
      method: 'post',
      path: '/admin/v1/sites/{id}/sync',
      summary: 'Sync a site with its source',
      description: 'Queues a run and answers at once. Poll the run until its state is `succeeded` or `failed`.',
      access: 'editor',
      audit: 'sync-requested',
      params,
      replies: { 200: { description: 'The run.', json: syncRunSchema } },
    },
    getSyncRun: {
      method: 'get',
      path: '/admin/v1/sites/{id}/runs/{runId}',
      summary: 'Get a sync run',
      access: 'viewer',
      params: params.extend({ runId: z.string() }),
      replies: { 200: { description: 'The run.', json: syncRunSchema } },
    },
    createIdentitySecret: {
      method: 'post',
      path: '/admin/v1/sites/{id}/identity-secret',
      summary: 'Make a new identity secret',
      description: 'For signing `X-Docent-Identity`. The secret before stops to count at once.',
      access: 'owner',
      audit: 'identity-secret-made',
      params,
      replies: { 201: { description: 'The secret.', json: identitySecretSchema } },
    },
    listFindings: {
      method: 'get',
      path: '/admin/v1/sites/{id}/findings',
      summary: 'List what is wrong with the source of a site',
      access: 'viewer',
      params,
      replies: { 200: { description: 'Findings of the generation that is served.', json: findingListSchema } },
    },
    checkSource: {
      method: 'post',
      path: '/admin/v1/sites/check-source',
      summary: 'Try out what a site needs of its repository',
      description:
        'Finds the code host of an address, tries every permission of the credential with a real call, and looks for the branch and the documentation. Of a folder or a repository on the machine of the server the files are looked at. Nothing is changed. Takes seconds, for a large repository up to two minutes.',
      access: 'owner',
      body: sourceCheckRequestSchema,
      replies: { 200: { description: 'Each step.', json: sourceCheckSchema } },
      errors: [404],
    },
    showSiteWebhook: {
      method: 'post',
      path: '/admin/v1/sites/{id}/webhook',
      summary: 'Show what the code host needs to send the webhooks of a site',
      description: 'The address and the secret, which somebody enters in the settings of the repository.',
      access: 'owner',
      audit: 'webhook-shown',
      params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }),
      replies: { 200: { description: 'The webhook.', json: siteWebhookSchema } },
      errors: [400],
    },
    addSiteWebhook: {
      method: 'post',
      path: '/admin/v1/sites/{id}/webhook/add',
      summary: 'Have the code host of a site tell of changes',
      description:
        'Adds a webhook to the repository, or brings the one to the same address up to date, where the credential of the site may and the code host can reach the service.',
      access: 'owner',
      audit: 'webhook-added',
      params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }),
      replies: { 200: { description: 'What was done, or what to do by hand.', json: siteWebhookSetupSchema } },
      errors: [400],
    },
  },
)
