import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { MemberResource } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useCursorPages } from '../../api/cursor-pages.ts'
import { changeRole, membersQuery } from '../../api/members.ts'
import { useMay } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** Who may do what in the organization, and who is invited. */
export function MembersPage() {
  const isOwner = useMay('owner')
  const [isInviting, setInviting] = useState(false)
  const invite = isOwner ? (
    <Button look="primary" onClick={() => setInviting(true)}>
      <UserPlus size={16} aria-hidden /> Invite
    </Button>
  ) : null
  return (
    <>
      <PageHeader title="Members" action={invite}>
        Viewers read. Editors also sync, start jobs and merge. Owners do everything.
      </PageHeader>
      <MemberList />
      {isOwner ? <InvitationList /> : null}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}

function MemberList() {
  const { cursor, toTablePages } = useCursorPages()
  const members = useQuery({ ...membersQuery(cursor), placeholderData: keepPreviousData })
  const isOwner = useMay('owner')
  const [removed, setRemoved] = useState<MemberResource | null>(null)
  const change = useChange({
    send: ({ id, role }: Pick<MemberResource, 'id' | 'role'>) => changeRole(id, role),
    done: ({ name, role }) => `${name} is ${role} now.`,
    stale: ['members'],
    hasFailureToast: true,
  })
  return (
    <Loaded query={members}>
      {({ items, nextCursor }) => (
        <>
          <MemberTable
            members={items}
            pages={toTablePages(nextCursor)}
            {...(isOwner && { onRemove: setRemoved, onRole: (member, role) => change.mutate({ id: member.id, role }) })}
          />
          <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} />
        </>
      )}
    </Loaded>
  )
}
