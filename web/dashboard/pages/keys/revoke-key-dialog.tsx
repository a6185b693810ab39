import type { KeyResource } from '../../../../src/contract/admin.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'

/** A key used within this time counts as in use. */
const inUseMs = 30 * 86_400_000

/** Revokes an unused key at once. For one in use, its name has to be typed. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const isUnused = apiKey !== null && apiKey.purpose !== 'pages' && !isInUse(apiKey)
  const revoke = useChange({
    send: (id: string) => call(keyOperations.revokeKey, { params: { id } }),
    done: ({ name }) => `Revoked key ${name}.`,
    undo: ({ id, purpose }) => (purpose === 'pages' ? null : () => call(keyOperations.restoreKey, { params: { id } })),
    stale: ['listKeys'],
    hasFailureToast: isUnused,
  })
  return (
    <ConfirmChange
      title={`Revoke key ${apiKey?.name ?? ''}?`}
      action="Revoke"
      change={revoke}
      input={apiKey?.id ?? null}
      isUndoable={isUnused}
      typed={{ label: 'Type the name of the key to confirm', text: apiKey?.name.trim() ?? '' }}
      onClose={onClose}
    >
      This key is in use: all requests with it will be refused.
    </ConfirmChange>
  )
}

function isInUse({ lastUsedAt }: KeyResource): boolean {
  return lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < inUseMs
}
