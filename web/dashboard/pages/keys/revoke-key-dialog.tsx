import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyResource } from '../../../../src/contract/admin.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { describeError } from '../../api/api-error.ts'
import { revokeKey } from '../../api/keys.ts'

/** Asks before a key is ended for good. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      showToast({ title: `Revoked the key ${name}.` })
      onClose()
    },
  })
  const close = () => {
    revoke.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Revoke the key ${apiKey?.name ?? ''}?`}
      action="Revoke"
      isOpen={apiKey !== null}
      isBusy={revoke.isPending}
      error={revoke.isError ? describeError(revoke.error) : null}
      onConfirm={() => apiKey !== null && revoke.mutate(apiKey.id)}
      onClose={close}
    >
      Whatever uses it is refused from now on. This cannot be undone: make a new key instead.
    </ConfirmDialog>
  )
}
