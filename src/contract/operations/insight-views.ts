import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import {
  publicViewSchema,
  savedViewCreateSchema,
  savedViewListSchema,
  sharedViewCreatedSchema,
  sharedViewCreateSchema,
  sharedViewListSchema,
  sharedViewSchema,
} from '../insight-views.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

const tag = {
  name: 'Insight views',
  description: 'Views of the insights that a member saved, and links that show their numbers to anyone.',
}

export const insightViewOperations = defineOperations(tag, {
  listSavedViews: {
    method: 'get',
    path: '/auth/saved-views',
    summary: 'List your saved views',
    description: 'For a browser session. Nobody else sees them.',
    access: 'session',
    replies: { 200: { description: 'The views.', json: savedViewListSchema } },
  },
  createSavedView: {
    method: 'post',
    path: '/auth/saved-views',
    summary: 'Save a view',
    description: 'Requires the header `X-Docent-Form-Token`. Replaces your view of the same name. At most 50.',
    access: 'session',
    body: savedViewCreateSchema,
    replies: { 201: { description: 'All of your views.', json: savedViewListSchema } },
    errors: [409],
  },
  deleteSavedView: {
    method: 'delete',
    path: '/auth/saved-views/{id}',
    summary: 'Delete a saved view',
    description: 'Requires the header `X-Docent-Form-Token`.',
    access: 'session',
    params: idParams,
    replies: { 204: { description: 'The view was deleted.' } },
    neverErrors: [404],
  },
  listSharedViews: {
    method: 'get',
    path: '/admin/v1/shared-views',
    summary: 'List shared views',
    access: 'owner',
    query: listQuerySchema,
    replies: { 200: { description: 'Shared views, newest first, without their links.', json: sharedViewListSchema } },
  },
  createSharedView: {
    method: 'post',
    path: '/admin/v1/shared-views',
    summary: 'Share a view',
    description:
      "Creates a link that shows only numbers to anyone: no reader's text, no page and no cost. Typed filters are refused.",
    access: 'owner',
    audit: 'view-shared',
    body: sharedViewCreateSchema,
    replies: { 201: { description: 'The view. `url` is returned only once.', json: sharedViewCreatedSchema } },
    errors: [404],
  },
  revokeSharedView: {
    method: 'post',
    path: '/admin/v1/shared-views/{id}/revoke',
    summary: 'Revoke the link of a shared view',
    description: 'The link stops working at once.',
    access: 'owner',
    audit: 'shared_view-revoked',
    params: idParams,
    replies: { 200: { description: 'The view.', json: sharedViewSchema } },
  },
  getPublicView: {
    method: 'get',
    path: '/shared-view',
    summary: 'Get the numbers of a shared view',
    description: 'For anyone with the link. The numbers are at most a minute old.',
    access: 'public',
    query: z.object({ token: z.string().max(200).meta({ description: 'The `token` parameter of the link.' }) }),
    replies: { 200: { description: 'Numbers only.', json: publicViewSchema } },
    errors: [404],
  },
})
