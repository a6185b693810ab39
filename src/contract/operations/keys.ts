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

const tag = { name: 'Keys', description: 'Assistant keys and admin keys.' }

/** How long a revocation can be taken back: long enough to notice a mistake, too short to keep a key in reserve. */
export const keyRestoreMsMax = 10 * 60_000

export const keyOperations = defineOperations(tag, {
  listKeys: {
    method: 'get',
    path: '/admin/v1/keys',
    summary: 'List keys',
    access: 'viewer',
    query: listQuerySchema.extend({
      siteId: z.string().optional().meta({ description: 'Only keys of this site, by id or slug.' }),
    }),
    replies: { 200: { description: 'Keys, newest first, including revoked ones.', json: keyListSchema } },
    errors: [404],
  },
  createKey: {
    method: 'post',
    path: '/admin/v1/keys',
    summary: 'Create a key',
    access: 'owner',
    audit: 'key-created',
    dashboardEvent: 'key-changed',
    body: keyCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The key. `secret` is returned only once.', json: keyCreatedSchema } },
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
    summary: 'Update a key',
    description:
      'Updates only the given fields. Takes effect immediately in this process and within five seconds in the others. A revoked key cannot be updated.',
    access: 'owner',
    audit: 'key-changed',
    dashboardEvent: 'key-changed',
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
      'Takes effect immediately in this process and within five seconds in the others. Revoking a key twice has no effect.',
    access: 'owner',
    audit: 'key-revoked',
    dashboardEvent: 'key-changed',
    params: idParams,
    replies: { 200: { description: 'The key.', json: keySchema } },
  },
  restoreKey: {
    method: 'post',
    path: '/admin/v1/keys/{id}/restore',
    summary: 'Restore a revoked key',
    description:
      'Undoes a revocation of the last 10 minutes: the same secret works again. Keys for served pages stay revoked.',
    access: 'owner',
    audit: 'key-restored',
    dashboardEvent: 'key-changed',
    params: idParams,
    replies: { 200: { description: 'The key.', json: keySchema } },
    errors: [409],
  },
})
