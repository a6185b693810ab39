import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { MemberResource, Role } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { usePages } from '../../api/use-pages.ts'
import { call } from '../../api/call.ts'
import { rolesWithArticle } from '../../api/role-names.ts'
import { say } from '../../../words/say.ts'

export function MembersPage() {
  const isOwner = useMay('owner')
  const [isInviting, setInviting] = useState(false)
  const invite = isOwner ? (
    <Button look="primary" data-command={accountOperations.createInvitation.id} onClick={() => setInviting(true)}>
      <UserPlus size={16} aria-hidden /> {say('Invite')}
    </Button>
  ) : null
  return (
    <>
      <PageHeader title={say('Members')} action={invite}>
        {say('Viewers can read. Editors can also sync, start jobs and merge. Owners can do everything.')}
      </PageHeader>
      <MemberList />
      {isOwner ? <InvitationList /> : null}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}

function MemberList() {
  const list = usePages(accountOperations.listMembers, {}, { rowsOfPage: 50 })
  const isOwner = useMay('owner')
  const [removed, setRemoved] = useState<MemberResource | null>(null)
  const change = useChange({
    send: ({ member: { id }, role }: { member: MemberResource; role: Role }) => changeRole(id, role),
    done: ({ name, role }) => say('{name} is now {role}.', { name, role: rolesWithArticle[role] }),
    undo:
      (_, { member }) =>
      () =>
        changeRole(member.id, member.role),
    stale: ['listMembers'],
    hasFailureToast: true,
  })
  return (
    <>
      <MemberTable
        list={list}
        {...(isOwner && { onRemove: setRemoved, onRole: (member, role) => change.mutate({ member, role }) })}
      />
      <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} />
    </>
  )
}

function changeRole(id: string, role: Role) {
  return call(accountOperations.updateMember, { params: { id }, body: { role } })
}
