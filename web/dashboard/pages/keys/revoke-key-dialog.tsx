import type { KeyResource } from '../../../../src/contract/admin.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'

/** Asks before a key is ended for good. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const revoke = useChange({
    send: (id: string) => call(keyOperations.revokeKey, { params: { id } }),
    done: ({ name }) => `Revoked the key ${name}.`,
    stale: ['listKeys'],
  })
  return (
    <ConfirmChange
      title={`Revoke the key ${apiKey?.name ?? ''}?`}
      action="Revoke"
      change={revoke}
      input={apiKey?.id ?? null}
      onClose={onClose}
    >
      Whatever uses it is refused from now on. This cannot be undone: make a new key instead.
    </ConfirmChange>
  )
}
