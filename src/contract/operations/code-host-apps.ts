import { listQuerySchema } from '../admin.ts'
import { codeHostAppCreateSchema, codeHostAppListSchema, codeHostAppSchema } from '../code-host-apps.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

export const codeHostAppOperations = defineOperations(
  { name: 'Code hosts', description: 'Apps on GitHub.' },
  {
    listCodeHostApps: {
      method: 'get',
      path: '/admin/v1/code-host-apps',
      summary: 'List Apps on code hosts',
      description: 'Without their secrets.',
      access: 'owner',
      query: listQuerySchema,
      replies: { 200: { description: 'By id.', json: codeHostAppListSchema } },
    },
    createCodeHostApp: {
      method: 'post',
      path: '/admin/v1/code-host-apps',
      summary: 'Store an App on a code host',
      description:
        'Sites on that host are read with it, and their pull requests opened by it, unless they have a token of their own. An organization has one App per host.',
      access: 'owner',
      audit: 'code_host_app-created',
      body: codeHostAppCreateSchema,
      replies: { 201: { description: 'The App.', json: codeHostAppSchema } },
      errors: [409],
    },
    deleteCodeHostApp: {
      method: 'delete',
      path: '/admin/v1/code-host-apps/{id}',
      summary: 'Delete a stored App',
      description: 'Its secrets are deleted here. The App itself stays on the code host: delete it there as well.',
      access: 'owner',
      audit: 'code_host_app-deleted',
      params: idParams,
      replies: { 204: { description: 'It is gone.' } },
    },
  },
)
