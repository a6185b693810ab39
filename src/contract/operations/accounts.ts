import { z } from 'zod'
import {
  acceptInfoSchema,
  acceptInvitationSchema,
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

const tag = { name: 'Accounts', description: 'Sign-in, members, invitations and the audit log.' }

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
    summary: "Update a member's role",
    description: "Takes effect with the member's next request. The role of the last owner cannot be changed.",
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
    description: "Ends all of the member's sessions immediately. The last owner cannot be removed.",
    access: 'owner',
    audit: 'member-removed',
    params: idParams,
    replies: { 204: { description: 'The member was removed.' } },
    errors: [409],
  },
  createSignInLink: {
    method: 'post',
    path: '/admin/v1/members/{id}/sign-in-link',
    summary: 'Create a sign-in link for a member',
    description:
      'For a member who has lost their password. The link works once and expires after one hour. Takes no body.',
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
    summary: 'Create an invitation',
    description:
      'Creates a link that works once and expires after seven days. Docent does not send it: pass it on yourself.',
    access: 'owner',
    audit: 'invitation-created',
    body: invitationCreateSchema,
    replies: { 201: { description: 'The invitation. `url` is returned only once.', json: invitationCreatedSchema } },
    errors: [409],
  },
  revokeInvitation: {
    method: 'post',
    path: '/admin/v1/invitations/{id}/revoke',
    summary: 'Revoke an invitation',
    description: 'The link stops working. An invitation that was already accepted is not changed.',
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
    summary: 'List audit log entries',
    description: 'Requires the role `owner`, or an admin key with the scope `write`.',
    access: 'owner',
    query: auditQuerySchema,
    replies: { 200: { description: 'Entries, newest first.', json: auditListSchema } },
  },
})

export const sessionOperations = defineOperations(tag, {
  getSession: {
    method: 'get',
    path: '/auth/session',
    summary: 'Get the current session',
    description: 'Identifies the user by the session cookie. Returns 200 even if nobody is signed in.',
    access: 'public',
    replies: { 200: { description: 'The session.', json: sessionSchema } },
  },
  signIn: {
    method: 'post',
    path: '/auth/sign-in',
    summary: 'Sign in with e-mail address and password',
    description:
      'Starts a new session and sets its cookie. After five failed attempts, each further one locks the account for longer.',
    access: 'public',
    body: signInSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [401, 403, 429],
  },
  signOut: {
    method: 'post',
    path: '/auth/sign-out',
    summary: 'Sign out',
    description: 'Requires the header `X-Docent-Form-Token`.',
    access: 'session',
    body: signOutSchema,
    isBodyOptional: true,
    replies: { 200: { description: 'A session without a user.', json: sessionSchema } },
  },
  inspectLink: {
    method: 'get',
    path: '/auth/accept',
    summary: 'Inspect a link',
    description: 'Returns what the link is for, without using it up.',
    access: 'public',
    query: acceptInvitationSchema.pick({ token: true }),
    replies: { 200: { description: 'The purpose of the link.', json: acceptInfoSchema } },
    errors: [403],
  },
  acceptLink: {
    method: 'post',
    path: '/auth/accept',
    summary: 'Accept an invitation or set a password',
    description: "Uses up the link and starts a session. Setting a password ends all of the user's earlier sessions.",
    access: 'public',
    body: acceptInvitationSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [403, 409, 429],
  },
  signInWithLink: {
    method: 'post',
    path: '/auth/link',
    summary: 'Sign in with a link',
    description: 'Uses up the link and starts a session. Sets no password and accepts no invitation.',
    access: 'public',
    body: linkSignInSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [403],
  },
  changePassword: {
    method: 'post',
    path: '/auth/password',
    summary: 'Change your password',
    description: 'Requires the header `X-Docent-Form-Token`. Ends all other sessions of the user and starts a new one.',
    access: 'session',
    body: passwordChangeSchema,
    replies: { 200: { description: 'The session.', json: sessionSchema } },
    errors: [429],
  },
  startOidcSignIn: {
    method: 'get',
    path: '/auth/oidc/start',
    summary: 'Sign in with OpenID Connect',
    description: 'For browsers: redirects to the identity provider, which redirects back to start a session.',
    access: 'public',
    query: z.object({
      returnTo: z.string().optional().meta({ description: 'Path on this server to open after sign-in.' }),
    }),
    replies: { 302: { description: 'Redirect to the identity provider.' } },
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
