import type { MemberResource } from '../../../../src/contract/accounts.ts'
import { removeMember } from '../../api/members.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'

export function RemoveMemberDialog({ member, onClose }: { member: MemberResource | null; onClose(): void }) {
  const remove = useChange({ send: removeMember, stale: ['members'] })
  return (
    <ConfirmChange
      title={`Remove ${member?.name ?? ''}?`}
      action="Remove"
      change={remove}
      input={member?.id ?? null}
      onClose={onClose}
    >
      They are signed out at once and can come back with a new invitation only. Keys that they made stay.
    </ConfirmChange>
  )
}
