import type { KeyResource } from '../../../../src/contract/admin.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const revoke = useChange({
    send: (id: string) => call(keyOperations.revokeKey, { params: { id } }),
    done: ({ name }) => `Revoked key ${name}.`,
    stale: ['listKeys'],
  })
  return (
    <ConfirmChange
      title={`Revoke key ${apiKey?.name ?? ''}?`}
      action="Revoke"
      change={revoke}
      input={apiKey?.id ?? null}
      onClose={onClose}
    >
      All requests with this key will be refused. This cannot be undone.
    </ConfirmChange>
  )
}
