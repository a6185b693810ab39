import { z } from 'zod'
import {
  keyCreateSchema,
  keyCreatedSchema,
  keyListSchema,
  keySchema,
  keyUpdateSchema,
  listQuerySchema,
} from '../admin.ts'
import { defineOperations, longTextBytesMax } from './operation.ts'
import { idParams } from './params.ts'

export const keyOperations = defineOperations(
  { name: 'Keys', description: 'Keys of both kinds.' },
  {
    listKeys: {
      method: 'get',
      path: '/admin/v1/keys',
      summary: 'List keys',
      access: 'viewer',
      query: listQuerySchema.extend({
        siteId: z.string().optional().meta({ description: 'Only keys of this site, by id or slug.' }),
      }),
      replies: { 200: { description: 'Keys, newest first, revoked ones included.', json: keyListSchema } },
      errors: [404],
    },
    createKey: {
      method: 'post',
      path: '/admin/v1/keys',
      summary: 'Create a key',
      access: 'owner',
      audit: 'key-created',
      body: keyCreateSchema,
      bodyBytesMax: longTextBytesMax,
      replies: { 201: { description: 'The key. `secret` is shown this once.', json: keyCreatedSchema } },
      errors: [404],
    },
    getKey: {
      method: 'get',
      path: '/admin/v1/keys/{id}',
      summary: 'Get a key',
      access: 'viewer',
      params: idParams,
      replies: { 200: { description: 'The key.', json: keySchema } },
    },
    updateKey: {
      method: 'patch',
      path: '/admin/v1/keys/{id}',
      summary: 'Change a key',
      description:
        'Changes only the fields in the body. Takes effect at once in this process and within five seconds in the others. A revoked key cannot be changed.',
      access: 'owner',
      audit: 'key-changed',
      params: idParams,
      body: keyUpdateSchema,
      bodyBytesMax: longTextBytesMax,
      replies: { 200: { description: 'The key.', json: keySchema } },
      errors: [409],
    },
    revokeKey: {
      method: 'post',
      path: '/admin/v1/keys/{id}/revoke',
      summary: 'Revoke a key',
      description:
        'Holds at once in this process and within five seconds in every other. Revoking twice changes nothing.',
      access: 'owner',
      audit: 'key-revoked',
      params: idParams,
      replies: { 200: { description: 'The key.', json: keySchema } },
    },
  },
)
