import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MemberResource } from '../../../../src/contract/accounts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { describeError } from '../../api/api-error.ts'
import { removeMember } from '../../api/members.ts'

export function RemoveMemberDialog({ member, onClose }: { member: MemberResource | null; onClose(): void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: removeMember,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['members'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${member?.name ?? ''}?`}
      action="Remove"
      isOpen={member !== null}
      isBusy={remove.isPending}
      error={remove.isError ? describeError(remove.error) : null}
      onConfirm={() => member !== null && remove.mutate(member.id)}
      onClose={() => {
        remove.reset()
        onClose()
      }}
    >
      They are signed out at once and can come back with a new invitation only. Keys that they made stay.
    </ConfirmDialog>
  )
}
