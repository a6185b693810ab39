import { listQuerySchema } from '../admin.ts'
import { codeHostAppCreateSchema, codeHostAppListSchema, codeHostAppSchema } from '../code-host-apps.ts'
import { receivedWebhookListSchema } from '../webhooks.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

const tag = { name: 'Code hosts', description: 'GitHub Apps that read repositories and open pull requests.' }

export const codeHostAppOperations = defineOperations(tag, {
  listCodeHostApps: {
    method: 'get',
    path: '/admin/v1/code-host-apps',
    summary: 'List GitHub Apps',
    description: 'Secrets are not included.',
    access: 'owner',
    query: listQuerySchema,
    replies: { 200: { description: 'GitHub Apps, ordered by id.', json: codeHostAppListSchema } },
  },
  createCodeHostApp: {
    method: 'post',
    path: '/admin/v1/code-host-apps',
    summary: 'Add a GitHub App',
    description:
      'Docent uses the App to read sites on that host and to open their pull requests, unless a site has its own token. An organization has one App per host.',
    access: 'owner',
    audit: 'code_host_app-created',
    body: codeHostAppCreateSchema,
    replies: { 201: { description: 'The App.', json: codeHostAppSchema } },
    errors: [409],
  },
  deleteCodeHostApp: {
    method: 'delete',
    path: '/admin/v1/code-host-apps/{id}',
    summary: 'Delete a GitHub App',
    description:
      'Deletes the App and its secrets from Docent. The App still exists on GitHub: delete it there as well.',
    access: 'owner',
    audit: 'code_host_app-deleted',
    params: idParams,
    replies: { 204: { description: 'The App was deleted.' } },
  },
  listAppWebhooks: {
    method: 'get',
    path: '/admin/v1/code-host-apps/{id}/webhook-deliveries',
    summary: 'List received webhooks of an App',
    description:
      'Webhooks with a valid signature that GitHub sent for the App, about all its repositories, with their results. Kept for 30 days.',
    access: 'owner',
    params: idParams,
    query: listQuerySchema,
    replies: { 200: { description: 'Received webhooks, newest first.', json: receivedWebhookListSchema } },
  },
})
