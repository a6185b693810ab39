import { z } from 'zod'
import {
  acceptInfoSchema,
  acceptSchema,
  auditListSchema,
  auditQuerySchema,
  invitationCreateSchema,
  invitationCreatedSchema,
  invitationListSchema,
  invitationSchema,
  linkSignInSchema,
  memberListSchema,
  memberSchema,
  memberUpdateSchema,
  passwordChangeSchema,
  sessionSchema,
  signInSchema,
  signOutSchema,
} from '../accounts.ts'
import { listQuerySchema } from '../admin.ts'
import { ownerLinkSchema } from '../repositories.ts'
import { defineOperations } from './operation.ts'
import { idParams } from './params.ts'

const tag = { name: 'Accounts', description: 'Signing in, members, invitations and the audit log.' }

export const memberOperations = defineOperations(tag, {
  listMembers: {
    method: 'get',
    path: '/admin/v1/members',
    summary: 'List members',
    access: 'viewer',
    query: listQuerySchema,
    replies: { 200: { description: 'Members, oldest first.', json: memberListSchema } },
  },
  updateMember: {
    method: 'patch',
    path: '/admin/v1/members/{id}',
    summary: 'Change the role of a member',
    description: 'Holds at the next request of the member. The last owner stays one.',
    access: 'owner',
    audit: 'role-changed',
    params: idParams,
    body: memberUpdateSchema,
    replies: { 200: { description: 'The member.', json: memberSchema } },
    errors: [409],
  },
  removeMember: {
    method: 'delete',
    path: '/admin/v1/members/{id}',
    summary: 'Remove a member',
    description: 'Ends all sessions of the member at once. The last owner stays.',
    access: 'owner',
    audit: 'member-removed',
    params: idParams,
    replies: { 204: { description: 'It is done.' } },
    errors: [409],
  },
  createSignInLink: {
    method: 'post',
    path: '/admin/v1/members/{id}/sign-in-link',
    summary: 'Make a link that signs a member in',
    description: 'For a member who has lost the password. It works once and for an hour. Takes no body.',
    access: 'owner',
    audit: 'sign-in-link-made',
    params: idParams,
    replies: { 201: { description: 'The link.', json: ownerLinkSchema } },
  },
})

export const invitationOperations = defineOperations(tag, {
  listInvitations: {
    method: 'get',
    path: '/admin/v1/invitations',
    summary: 'List invitations',
    access: 'owner',
    query: listQuerySchema,
    replies: { 200: { description: 'Invitations, newest first, without their links.', json: invitationListSchema } },
  },
  createInvitation: {
    method: 'post',
    path: '/admin/v1/invitations',
    summary: 'Invite somebody',
    description: 'Makes a link that works once and for seven days. Nothing is sent: hand the link over yourself.',
    access: 'owner',
    audit: 'invitation-created',
    body: invitationCreateSchema,
    replies: { 201: { description: 'The invitation. `url` is shown this once.', json: invitationCreatedSchema } },
    errors: [409],
  },
  revokeInvitation: {
    method: 'post',
    path: '/admin/v1/invitations/{id}/revoke',
    summary: 'Revoke an invitation',
    description: 'Its link opens nothing from now on. One that was used stays used.',
    access: 'owner',
    audit: 'invitation-revoked',
    params: idParams,
    replies: { 200: { description: 'The invitation.', json: invitationSchema } },
  },
})

export const auditLogOperations = defineOperations(tag, {
  listAuditEntries: {
    method: 'get',
    path: '/admin/v1/audit-log',
    summary: 'List who has changed what',
    description: 'Needs an owner, or a key with the scope `write`.',
    access: 'owner',
    query: auditQuerySchema,
    replies: { 200: { description: 'Entries, newest first.', json: auditListSchema } },
  },
})

export const sessionOperations = defineOperations(tag, {
  getSession: {
    method: 'get',
    path: '/auth/session',
    summary: 'Tell who is signed in',
    description: 'By the cookie of the session. Answers 200 also when nobody is.',
    access: 'public',
    replies: { 200: { description: 'The session.', json: sessionSchema } },
  },
  signIn: {
    method: 'post',
    path: '/auth/sign-in',
    summary: 'Sign in with e-mail address and password',
    description:
      'Begins a new session, in a cookie. After five failures each further one makes the account wait longer.',
    access: 'public',
    body: signInSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [401, 403, 429],
  },
  signOut: {
    method: 'post',
    path: '/auth/sign-out',
    summary: 'Sign out',
    description: 'Needs the header `X-Docent-Form-Token`.',
    access: 'session',
    body: signOutSchema,
    isBodyOptional: true,
    replies: { 200: { description: 'Nobody is signed in.', json: sessionSchema } },
  },
  inspectLink: {
    method: 'get',
    path: '/auth/accept',
    summary: 'Tell what a link is for',
    description: 'Does not use it up.',
    access: 'public',
    query: z.object({ token: z.string().max(200) }),
    replies: { 200: { description: 'What it is for.', json: acceptInfoSchema } },
    errors: [403],
  },
  acceptLink: {
    method: 'post',
    path: '/auth/accept',
    summary: 'Use a link: accept an invitation, or set a password',
    description: 'Begins a session. A password that is set ends all sessions that the user had.',
    access: 'public',
    body: acceptSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [403, 409, 429],
  },
  signInWithLink: {
    method: 'post',
    path: '/auth/link',
    summary: 'Sign in with a link',
    description: 'Uses the link up and starts a session. Sets no password and accepts no invitation.',
    access: 'public',
    body: linkSignInSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [403],
  },
  changePassword: {
    method: 'post',
    path: '/auth/password',
    summary: 'Change the password',
    description: 'Needs the header `X-Docent-Form-Token`. Ends all other sessions of the user and begins a new one.',
    access: 'session',
    body: passwordChangeSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [429],
  },
  startOidcSignIn: {
    method: 'get',
    path: '/auth/oidc/start',
    summary: 'Sign in with the provider of OpenID Connect',
    description: 'For browsers: leads to the provider, which leads back and begins a session.',
    access: 'public',
    query: z.object({ returnTo: z.string().optional().meta({ description: 'A path of this server.' }) }),
    replies: { 302: { description: 'To the provider.' } },
    errors: [404],
    neverErrors: [400],
  },
})

export const accountOperations = {
  ...memberOperations,
  ...invitationOperations,
  ...auditLogOperations,
  ...sessionOperations,
}
