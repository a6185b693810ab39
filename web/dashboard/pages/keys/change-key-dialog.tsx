import type { KeyResource } from '../../../../src/contract/admin.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { KeyFields } from './key-fields.tsx'
import { expiryOptions, keyFormOf, readKeyChange } from './key-form.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call } from '../../api/call.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

/** Edits an existing key, but not its secret. */
export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  return (
    <Dialog
      title={say('Edit key {name}', { name: apiKey?.name ?? '' })}
      isOpen={apiKey !== null}
      onClose={onClose}
      closesOutside={false}
    >
      {apiKey === null ? null : <ChangeKeyForm key={apiKey.id} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeKeyForm({ apiKey, onClose }: { apiKey: KeyResource; onClose(): void }) {
  const form = useForm({
    initial: () => keyFormOf(apiKey),
    send: (values) => call(keyOperations.updateKey, { params: { id: apiKey.id }, body: readKeyChange(values, apiKey) }),
    done: ({ name }) => say('Saved key {name}.', { name }),
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
  const kept =
    expiresAt === null
      ? say('Never')
      : say('On {date} (unchanged)', { date: new Date(expiresAt).toLocaleDateString(language) })
  const others = expiryOptions.filter(({ value }) => expiresAt !== null || value !== 'never')
  return (
    <FormView form={form} action={say('Save changes')} onCancel={onClose}>
      <KeyFields form={form} expiryOptions={[{ value: 'keep', label: kept }, ...others]} />
    </FormView>
  )
}
