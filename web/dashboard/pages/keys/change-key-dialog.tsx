import type { KeyResource } from '../../../../src/contract/admin.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { KeyFields } from './key-fields.tsx'
import { expiryOptions, keyFormOf, readKeyChange } from './key-form.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'

/** Edits an existing key, but not its secret. */
export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  return (
    <Dialog title={`Edit key ${apiKey?.name ?? ''}`} isOpen={apiKey !== null} onClose={onClose} closesOutside={false}>
      {apiKey === null ? null : <ChangeKeyForm key={apiKey.id} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeKeyForm({ apiKey, onClose }: { apiKey: KeyResource; onClose(): void }) {
  const form = useForm({
    initial: () => keyFormOf(apiKey),
    send: (values) => call(keyOperations.updateKey, { params: { id: apiKey.id }, body: readKeyChange(values, apiKey) }),
    done: ({ name }) => `Saved key ${name}.`,
    // A new expiry is given in days, so that the one before cannot be set again.
    undo: (changed, { expiry }) =>
      expiry === 'keep'
        ? () =>
            call(keyOperations.updateKey, {
              params: { id: apiKey.id },
              body: readKeyChange({ ...keyFormOf(apiKey), expiry }, changed),
            })
        : null,
    stale: ['listKeys'],
    onDone: onClose,
  })
  const { expiresAt } = apiKey
  const kept = expiresAt === null ? 'Never' : `On ${new Date(expiresAt).toLocaleDateString()} (unchanged)`
  const others = expiryOptions.filter(({ value }) => expiresAt !== null || value !== 'never')
  return (
    <FormView form={form} action="Save changes" onCancel={onClose}>
      <KeyFields form={form} expiryOptions={[{ value: 'keep', label: kept }, ...others]} />
    </FormView>
  )
}
