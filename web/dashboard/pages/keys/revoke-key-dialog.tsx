import type { KeyResource } from '../../../../src/contract/admin.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { isUnused } from './key-state.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Revokes an unused key at once. For one in use, its name has to be typed. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  const isAtOnce = apiKey !== null && isUnused(apiKey, Date.now())
  const revoke = useChange({
    send: (id: string) => call(keyOperations.revokeKey, { params: { id } }),
    done: ({ name }) => say('Revoked key {name}.', { name }),
    undo: ({ id, purpose }) => (purpose === 'pages' ? null : () => call(keyOperations.restoreKey, { params: { id } })),
    stale: ['listKeys'],
    hasFailureToast: isAtOnce,
  })
  return (
    <ConfirmChange
      title={say('Revoke key {name}?', { name: apiKey?.name ?? '' })}
      action={say('Revoke')}
      change={revoke}
      input={apiKey?.id ?? null}
      isUndoable={isAtOnce}
      typed={{ label: say('Type the name of the key to confirm'), text: apiKey?.name.trim() ?? '' }}
      onClose={onClose}
    >
      {say('This key is in use: all requests with it will be refused.')}
    </ConfirmChange>
  )
}
