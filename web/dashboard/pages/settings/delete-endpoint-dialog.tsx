import type { WebhookEndpointResource } from '../../../../src/contract/webhooks.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { webhookOperations } from '../../../../src/contract/operations/webhooks.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface DeleteEndpointDialogProps {
  endpoint: WebhookEndpointResource | null
  onClose(): void
}

export function DeleteEndpointDialog({ endpoint, onClose }: DeleteEndpointDialogProps) {
  const remove = useChange({
    send: (id: string) => call(webhookOperations.deleteWebhookEndpoint, { params: { id } }),
    stale: ['listWebhookEndpoints'],
  })
  return (
    <ConfirmChange
      title={say('Delete {name}?', { name: endpoint?.name ?? '' })}
      action={say('Delete')}
      change={remove}
      input={endpoint?.id ?? null}
      onClose={onClose}
    >
      {say('It receives no more events, and its delivery log is deleted. This cannot be undone.')}
    </ConfirmChange>
  )
}
