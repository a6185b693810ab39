import type { WebhookEndpointResource } from '../../../../src/contract/webhooks.ts'
import { deleteEndpoint } from '../../api/webhook-endpoints.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'

export interface DeleteEndpointDialogProps {
  endpoint: WebhookEndpointResource | null
  onClose(): void
}

export function DeleteEndpointDialog({ endpoint, onClose }: DeleteEndpointDialogProps) {
  const remove = useChange({ send: deleteEndpoint, stale: ['webhook-endpoints'] })
  return (
    <ConfirmChange
      title={`Delete ${endpoint?.name ?? ''}?`}
      action="Delete"
      change={remove}
      input={endpoint?.id ?? null}
      onClose={onClose}
    >
      It is told nothing from then on, and its deliveries are deleted. This cannot be undone.
    </ConfirmChange>
  )
}
