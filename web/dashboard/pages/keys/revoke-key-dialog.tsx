import type { KeyResource } from '../../../../src/contract/admin.ts'
import { revokeKey } from '../../api/keys.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'

/** Asks before a key is ended for good. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const revoke = useChange({ send: revokeKey, done: ({ name }) => `Revoked the key ${name}.`, stale: ['keys'] })
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
