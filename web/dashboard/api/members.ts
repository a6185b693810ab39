import { queryOptions } from '@tanstack/react-query'
import type { InvitationResource, MemberResource, Role } from '../../../src/contract/accounts.ts'
import { type ListPage, request, withQuery } from './request.ts'

const rowsOfPage = 50

export function membersQuery(cursor: string | null) {
  return queryOptions({
    queryKey: ['members', cursor],
    queryFn: ({ signal }) =>
      request<ListPage<MemberResource>>(
        'GET',
        withQuery('/admin/v1/members', { limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function invitationsQuery(cursor: string | null) {
  return queryOptions({
    queryKey: ['invitations', cursor],
    queryFn: ({ signal }) =>
      request<ListPage<InvitationResource>>(
        'GET',
        withQuery('/admin/v1/invitations', { limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function changeRole(id: string, role: Role): Promise<MemberResource> {
  return request('PATCH', `/admin/v1/members/${encodeURIComponent(id)}`, { role })
}

export async function removeMember(id: string): Promise<void> {
  await request('DELETE', `/admin/v1/members/${encodeURIComponent(id)}`)
}

export type InvitationCreated = InvitationResource & { url: string }

export function createInvitation(input: { role: Role; email: string | null }): Promise<InvitationCreated> {
  return request('POST', '/admin/v1/invitations', input)
}

export async function revokeInvitation(id: string): Promise<void> {
  await request('POST', `/admin/v1/invitations/${encodeURIComponent(id)}/revoke`)
}
