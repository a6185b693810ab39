import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WebhookEndpointResource } from '../../../../src/contract/webhooks.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { describeError } from '../../api/api-error.ts'
import { deleteEndpoint } from '../../api/webhook-endpoints.ts'

export interface DeleteEndpointDialogProps {
  endpoint: WebhookEndpointResource | null
  onClose(): void
}

export function DeleteEndpointDialog({ endpoint, onClose }: DeleteEndpointDialogProps) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: deleteEndpoint,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['webhook-endpoints'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${endpoint?.name ?? ''}?`}
      action="Delete"
      isOpen={endpoint !== null}
      isBusy={remove.isPending}
      error={remove.isError ? describeError(remove.error) : null}
      onConfirm={() => endpoint !== null && remove.mutate(endpoint.id)}
      onClose={() => {
        remove.reset()
        onClose()
      }}
    >
      It is told nothing from then on, and its deliveries are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
