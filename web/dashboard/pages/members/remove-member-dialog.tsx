import type { MemberResource } from '../../../../src/contract/accounts.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export function RemoveMemberDialog({ member, onClose }: { member: MemberResource | null; onClose(): void }) {
  const remove = useChange({
    send: (id: string) => call(accountOperations.removeMember, { params: { id } }),
    stale: ['listMembers'],
  })
  return (
    <ConfirmChange
      title={say('Remove {name}?', { name: member?.name ?? '' })}
      action={say('Remove')}
      change={remove}
      input={member?.id ?? null}
      onClose={onClose}
    >
      {say('They are signed out immediately and need a new invitation to return. Keys that they created keep working.')}
    </ConfirmChange>
  )
}
